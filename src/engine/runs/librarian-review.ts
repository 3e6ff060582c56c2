import { isChanging, type ReviewReport, reportReview } from '../../domain/project/report-review.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { promptOf, type RunRequest } from '../../protocol/run/request.ts'

/** A question about what a change of a contract would do to others. */
const ABOUT_BREAKING = /\b(?:breaks?|breaking|(?:in)?compatib(?:le|ility))\b/i
/** Proposed changes that are told where the question names no contract. */
const MOST_CHANGES = 5
/** Characters of a question in which content is looked for. */
const MOST_JSON = 256 * 1024

export interface NamedContract {
  readonly value: ContractEntity
  readonly project: ProjectView
}

interface Asked {
  readonly request: RunRequest
  /** The projects that the question may be about. */
  readonly projects: readonly ProjectView[]
  /** The contract that fits the words of the question best. */
  readonly best: NamedContract | undefined
}

/** What breaks: by the contract that the request names, else by all changes that are proposed. */
export function reviewAsked({ request, projects, best }: Asked): ReviewReport[] | undefined {
  const prompt = promptOf(request)
  if (!ABOUT_BREAKING.test(prompt)) return undefined
  const content = contentIn(request, prompt)
  const wanted = wantedIn(request)
  const named = wanted === undefined ? (byName(prompt, projects) ?? best) : byWord(wanted, projects)
  if (named !== undefined) return [reportReview(named.value, named.project, content)]
  if (wanted !== undefined) return [notThere(wanted)]
  const changing = projects.flatMap((project) =>
    [...project.contracts.oldestFirst()].filter(isChanging).map((value) => ({ value, project })),
  )
  return changing.length === 0
    ? undefined
    : changing.slice(0, MOST_CHANGES).map(({ value, project }) => reportReview(value, project, undefined))
}

/** The content that the contract would become: a parameter, or JSON in the question. */
function contentIn({ parameters }: RunRequest, prompt: string): JsonObject | undefined {
  const { content } = parameters
  if (isJsonObject(content)) return content
  const [start, end] = [prompt.indexOf('{'), prompt.lastIndexOf('}')]
  if (start < 0 || end < start || end - start > MOST_JSON) return undefined
  try {
    const parsed: unknown = JSON.parse(prompt.slice(start, end + 1))
    return isJsonObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function wantedIn({ parameters }: RunRequest): string | undefined {
  const wanted = parameters['contractId'] ?? parameters['contract_id'] ?? parameters['contract']
  return typeof wanted === 'string' ? wanted : undefined
}

function byWord(wanted: string, projects: readonly ProjectView[]): NamedContract | undefined {
  for (const project of projects)
    for (const value of project.contracts.oldestFirst())
      if (value.contract_id === wanted || value.name === wanted) return { value, project }
  return undefined
}

const notThere = (wanted: string): ReviewReport => ({
  passages: [{ text: `There is no contract ${wanted} here that you may see.`, sources: [] }],
  output: { contract: wanted },
})

/** The longest name in the question: `User` is part of `User Profile`. */
function byName(prompt: string, projects: readonly ProjectView[]): NamedContract | undefined {
  const asked = prompt.slice(0, MOST_JSON).toLowerCase()
  let longest: NamedContract | undefined
  for (const project of projects)
    for (const value of project.contracts.oldestFirst())
      if (asked.includes(value.name.toLowerCase()) && value.name.length > (longest?.value.name.length ?? 0))
        longest = { value, project }
  return longest
}
