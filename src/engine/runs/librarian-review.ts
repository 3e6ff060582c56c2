import { isChanging, type ReviewReport, reportReview } from '../../domain/project/report-review.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { filtered, findIn, firstOf } from '../../protocol/collections/iterables.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { promptOf, type RunRequest } from '../../protocol/run/request.ts'

/** A question about what a change of a contract would do to others. */
const ABOUT_BREAKING = /\b(?:breaks?|breaking|(?:in)?compatib(?:le|ility))\b/i
/** Proposed changes that are told where the question names no contract. */
const MOST_CHANGES = 5
/** Characters of a question in which the name of each contract is looked for. */
const MOST_WORDS = 10_000
/** Characters of content in a question. */
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
  const { question, json } = partsOf(prompt)
  const { content: given } = request.parameters
  const content = isJsonObject(given) ? given : json
  const wanted = wantedIn(request)
  const named = wanted === undefined ? (byName(question, projects) ?? best) : byWord(wanted, projects)
  if (named !== undefined) return [reportReview(named.value, named.project, content)]
  if (wanted !== undefined) return [notThere(wanted)]
  const changing = firstOf(
    filtered(contractsOf(projects), ({ value }) => isChanging(value)),
    MOST_CHANGES,
  )
  if (changing.length === 0) return undefined
  return changing.map(({ value, project }) => reportReview(value, project, undefined))
}

function* contractsOf(projects: readonly ProjectView[]): Iterable<NamedContract> {
  for (const project of projects)
    for (const value of project.contracts.oldestFirst()) yield { value, project }
}

/** The words of a prompt, and the content in it that a contract would become, in which names may stand as well. */
function partsOf(prompt: string): { readonly question: string; readonly json: JsonObject | undefined } {
  const [start, end] = [prompt.indexOf('{'), prompt.lastIndexOf('}') + 1]
  const isShort = start >= 0 && end > start && end - start <= MOST_JSON
  const json = isShort ? jsonIn(prompt.slice(start, end)) : undefined
  if (!isJsonObject(json)) return { question: prompt.slice(0, MOST_WORDS), json: undefined }
  return { question: `${prompt.slice(0, start)} ${prompt.slice(end)}`.slice(0, MOST_WORDS), json }
}

function wantedIn({ parameters }: RunRequest): string | undefined {
  const wanted = parameters['contractId'] ?? parameters['contract_id'] ?? parameters['contract']
  return typeof wanted === 'string' ? wanted : undefined
}

const byWord = (wanted: string, projects: readonly ProjectView[]): NamedContract | undefined =>
  findIn(contractsOf(projects), ({ value }) => value.contract_id === wanted || value.name === wanted)

const notThere = (wanted: string): ReviewReport => ({
  passages: [{ text: `There is no contract ${wanted} here that you may see.`, sources: [] }],
  output: { contract: wanted },
})

/** The longest name in the question: `User` is part of `User Profile`. */
export function byName(question: string, projects: readonly ProjectView[]): NamedContract | undefined {
  const asked = question.toLowerCase()
  let longest: NamedContract | undefined
  for (const one of contractsOf(projects)) {
    const { name } = one.value
    if (asked.includes(name.toLowerCase()) && name.length > (longest?.value.name.length ?? 0)) longest = one
  }
  return longest
}
