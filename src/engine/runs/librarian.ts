import * as z from 'zod'
import { decisionsOn } from '../../domain/context/decision.ts'
import type { Caller } from '../../domain/env.ts'
import { maySee } from '../../domain/lookup.ts'
import { updatedAt } from '../../domain/project/project.ts'
import {
  type Passage,
  projectFacts,
  reportContract,
  reportPacket,
  reportProject,
} from '../../domain/project/report.ts'
import type { ReviewReport } from '../../domain/project/report-review.ts'
import type { SearchKind } from '../../domain/search/text.ts'
import { telling } from '../../domain/search/words.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import type { Json } from '../../protocol/json/json.ts'
import type { RunnerEvent } from '../../protocol/run/event.ts'
import { promptOf, type RunRequest } from '../../protocol/run/request.ts'
import type { Parts } from '../parts.ts'
import type { Outcome, RunContext, Runner } from '../ports/run-ports.ts'
import type { Found } from '../search/search-index.ts'
import { byName, type NamedContract, reviewAsked } from './librarian-review.ts'
import { readParameters } from './parameters.ts'

const TOLD_OF: ReadonlySet<SearchKind> = new Set(['project', 'repo', 'contract', 'context'] as const)
/** How many search results are part of an answer, and how many projects, when the question names no single one. */
const TOLD = 5
const PROJECTS = 10
/** How many characters of a question are read, and how many of its words are searched for. */
const READ = 10_000
const WORDS = 50

/** A question about the state of a project, and not about the content of something. */
const ABOUT_STANDING =
  /\b(?:status|state|progress|standing|overview|summar\w*|how far|stuck|block\w*|wait\w*|open questions?)\b/i

/** The words of such a question that name nothing in particular. */
const NAMES_NOTHING =
  /^(?:status|state|progress|standing|overview|summar\w*|far|stuck|block\w*|wait\w*|open|questions?|projects?|current\w*|now|everything|all|things?)$/i

/** The parameters that can hold the question when the request has no message. */
const Question = z
  .object({ query: z.string(), question: z.string(), prompt: z.string(), text: z.string() })
  .partial()

interface Answer {
  readonly passages: readonly Passage[]
  readonly output: Json
  /** The contract that fits best; it is sent as an artifact. */
  readonly contract?: NamedContract | undefined
}

/** Answers from what the repositories agreed on, with its sources, and without any model. */
export function createLibrarian({ store, index }: Pick<Parts, 'store' | 'index'>): Runner {
  return {
    name: 'librarian',
    limit: Number.POSITIVE_INFINITY,
    async run(request, context) {
      const { asker } = context
      if (request.messages.length === 0) readParameters(Question, request)
      const words = [...new Set(telling(questionIn(request)))].slice(0, WORDS)
      const { found } = await index.search({
        text: words.join(' '),
        limit: 4 * TOLD,
        kinds: TOLD_OF,
        mayUse: (projectId) => isVisible(store.view, projectId, asker),
      })
      // Read inside a commit, so that the answer has nothing that a crash could still undo.
      const answer = await store.commit((view) => {
        const visible = found.filter(({ projectId }) => isVisible(view, projectId, asker))
        return { result: answerTo(request, words, visible, view, asker) }
      })
      return tell(answer, context)
    },
  }
}

const questionIn = (request: RunRequest): string => promptOf(request).slice(0, READ)

/** Answers with the state of a project, whatever the words of the request. */
export function createSummary({ store }: Pick<Parts, 'store'>): Runner {
  return {
    name: 'summarize_project',
    limit: Number.POSITIVE_INFINITY,
    async run(request, context) {
      const answer = await store.commit((view) => ({
        result: standing(meantProjects(request, view, context.asker)),
      }))
      return tell(answer, context)
    },
  }
}

function answerTo(
  request: RunRequest,
  words: readonly string[],
  found: readonly Found[],
  view: View,
  asker: Caller,
): Answer {
  const question = questionIn(request)
  const isAboutStanding = ABOUT_STANDING.test(question)
  const meant = meantProjects(request, view, asker)
  if (meant.length === 0) return nothing('There is no project here yet that you may see.')
  const reviews = reviewAsked({ request, projects: meant, best: bestContract(found, view) })
  if (reviews !== undefined) return broken(reviews)
  const specific = words.filter((word) => !NAMES_NOTHING.test(word))
  const namesProject = meant.length === 1
  if (specific.length === 0 || (isAboutStanding && namesProject && byName(question, meant) === undefined))
    return standing(meant)
  const told = withDecisions(found, view)
    .slice(0, TOLD)
    .flatMap((one) => passageOf(one, view) ?? [])
  if (told.length === 0 && isAboutStanding) return standing(meant)
  if (told.length === 0)
    return nothing(
      `Nothing here mentions ${specific.slice(0, 10).join(', ')}. There ${meant.length === 1 ? 'is one project' : `are ${meant.length} projects`}: ${meant
        .slice(0, PROJECTS)
        .map(({ project }) => project.name)
        .join(', ')}.`,
    )
  return { passages: told, output: null, contract: bestContract(found, view) }
}

/** The projects that the request names by id or in its words; else all that are not archived, latest change first. */
function meantProjects({ parameters, ...request }: RunRequest, view: View, asker: Caller): ProjectView[] {
  const visible = [...view.projects.oldestFirst()].filter((found) => maySee(found, asker))
  const wanted = parameters['projectId'] ?? parameters['project_id'] ?? parameters['project']
  const question = questionIn({ ...request, parameters }).toLowerCase()
  const named = visible.filter(({ project }) => {
    const name = project.name.toLowerCase()
    return wanted === undefined
      ? question.includes(name)
      : wanted === project.project_id || wanted === project.name
  })
  if (named.length > 0 || wanted !== undefined) return named
  return visible
    .filter(({ project }) => !project.archived)
    .map((found) => ({ found, at: updatedAt(found) }))
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ found }) => found)
}

function standing(projects: readonly ProjectView[]): Answer {
  if (projects.length === 0) return nothing('There is no such project here that you may see.')
  const told = projects.slice(0, PROJECTS)
  const passages = told.flatMap((found, index) => [
    ...(index === 0 ? [] : [{ text: '', sources: [] }]),
    ...reportProject(found),
  ])
  const more = projects.length - told.length
  if (more > 0)
    passages.push({ text: `Projects besides these: ${more}. Ask for one by its name.`, sources: [] })
  return { passages, output: { projects: told.map(projectFacts) } }
}

const broken = (reviews: readonly ReviewReport[]): Answer => ({
  passages: reviews.flatMap(({ passages }) => passages),
  output: { contracts: reviews.map(({ output }) => output) },
})

const nothing = (text: string): Answer => ({ passages: [{ text, sources: [] }], output: null })

/** Puts the decisions on a question in the place of the question, each of them once. */
function withDecisions(found: readonly Found[], view: View): Found[] {
  const told = new Map<string, Found>()
  for (const one of found) {
    const project = view.projects.get(one.projectId)
    const packet = one.kind === 'context' ? project?.packets.get(one.id) : undefined
    const decided = project && packet?.type === 'question' ? decisionsOn(packet, project) : []
    const instead = decided.map(({ packet_id }) => ({ ...one, id: packet_id }))
    for (const each of instead.length === 0 ? [one] : instead) {
      const key = `${each.kind} ${each.projectId} ${each.id}`
      if (!told.has(key)) told.set(key, each)
    }
  }
  return [...told.values()]
}

function passageOf({ kind, projectId, id }: Found, view: View): Passage | undefined {
  const project = view.projects.get(projectId)
  if (project === undefined) return undefined
  const contract = kind === 'contract' ? project.contracts.get(id) : undefined
  if (contract !== undefined) return reportContract(contract, project)
  const packet = kind === 'context' ? project.packets.get(id) : undefined
  if (packet !== undefined) return reportPacket(packet, project)
  return reportProject(project)[0]
}

function bestContract(found: readonly Found[], view: View): Answer['contract'] {
  for (const { kind, projectId, id } of found) {
    const project = view.projects.get(projectId)
    const value = kind === 'contract' ? project?.contracts.get(id) : undefined
    if (project !== undefined && value !== undefined) return { value, project }
  }
  return undefined
}

function isVisible(view: View, projectId: string, asker: Caller): boolean {
  const found = view.projects.get(projectId)
  return found !== undefined && maySee(found, asker)
}

/** Emits the answer line by line, each line followed by its sources; at last the contract itself. */
async function tell({ passages, output, contract }: Answer, { emit, signal }: RunContext): Promise<Outcome> {
  let length = 0
  for (const [index, { text, sources }] of passages.entries()) {
    if (signal.aborted) return {}
    const start = length + (index === 0 ? 0 : 1)
    const delta = index === 0 ? text : `\n${text}`
    length += delta.length
    await emit({ type: 'text', delta })
    for (const { uri, title, quote } of sources)
      await emit({ type: 'citation', uri, title, text: quote, indices: [start, length] })
  }
  if (contract !== undefined) await emit(contractArtifact(contract))
  return { output }
}

function contractArtifact({ value, project }: NonNullable<Answer['contract']>): RunnerEvent {
  const { version, content } = value.head
  return {
    type: 'artifact',
    artifact_id: value.contract_id,
    name: value.name,
    mime_type: 'application/json',
    data: {
      project_id: project.project.project_id,
      contract_id: value.contract_id,
      name: value.name,
      type: value.type,
      version,
      status: value.status,
      content,
    },
  }
}
