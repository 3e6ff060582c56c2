import { hashOf } from '../protocol/canonical.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Stamp } from '../protocol/stamp.ts'
import { type Finding, partialsOf, tellFindings } from './finding.ts'
import { type Duty, ITEM_KINDS, type ItemKind, newestAnswer, type Wait } from './inbox.ts'
import { heldSince, holderIn, isSettled } from './lost-claim.ts'
import { type Objection, objectionsTo } from './objection.ts'
import { quoted } from './quoted.ts'
import type { ContractEntity, PacketEntity, ProjectEntity, VerificationEntity } from './views/entities.ts'

/** A duty as it is shown to the repo that has it. */
export interface InboxItem {
  /** The same as long as there is this to do about this entity. */
  readonly id: string
  readonly kind: ItemKind
  readonly projectId: string
  readonly projectName: string
  readonly about: About
  readonly from: { readonly repo: string; readonly agentId: string | null }
  /** One sentence of ours; names that others gave stand between quotes in it. */
  readonly why: string
  /** What others hold against it, where it is to be revised. */
  readonly objections?: readonly Objection[]
  /** What others found who tried it, where it is to be mended or works in part. */
  readonly findings?: readonly Finding[]
  readonly since: Stamp
  /** Changes when the item does. */
  readonly state: string
  readonly next: NextCall
  readonly acked?: true
}

export interface About {
  readonly kind: 'project' | 'contract' | 'packet'
  readonly id: string
  readonly name: string
  readonly version?: number
}

/** A call that is taken as it stands, and after which the item is gone. */
export interface NextCall {
  readonly method: string
  readonly params: JsonObject
  /** Params that only show the form: what stands there is for the caller to decide, or to write. */
  readonly fill?: readonly string[]
}

export interface WaitingItem {
  readonly projectId: string
  readonly about: About
  /** Names of the first 20; empty: any other repo. */
  readonly repos: readonly string[]
  readonly for: Wait['to']
  readonly since: Stamp
}

/** The thing that somebody has to do something about. */
export type Subject =
  | { readonly kind: 'project'; readonly value: ProjectEntity }
  | { readonly kind: 'contract'; readonly value: ContractEntity }
  | { readonly kind: 'packet'; readonly value: PacketEntity }

export interface Naming {
  readonly project: ProjectEntity
  readonly repoName: (repoId: string) => string
}

/** Of a repo in a sentence, with its quotes. */
const FROM_LENGTH = 60
/** Of an agent. */
const AGENT_LENGTH = 160
/** Of a question that is long. */
const NAME_LENGTH = 200
const STATE_DIGITS = 16
/** Of repos that are waited for. */
const NAMED = 20

export const itemId = (kind: ItemKind, projectId: string, id: string): string => `${kind}:${projectId}:${id}`

/** What an id can mean: ids of projects and of their parts may have colons in them. */
export function* readItemId(text: string): Iterable<{ kind: ItemKind; projectId: string; id: string }> {
  const kind = ITEM_KINDS.find((one) => text.startsWith(`${one}:`))
  if (kind === undefined) return
  const rest = text.slice(kind.length + 1)
  for (let cut = rest.indexOf(':'); cut >= 0; cut = rest.indexOf(':', cut + 1))
    yield { kind, projectId: rest.slice(0, cut), id: rest.slice(cut + 1) }
}

export function subjectKind(kind: ItemKind): Subject['kind'] {
  if (kind === 'join_project' || kind === 'claim_lost' || kind === 'settle_claims') return 'project'
  return kind === 'answer_question' || kind === 'accept_answer' || kind === 'fulfil_file_request'
    ? 'packet'
    : 'contract'
}

export function tellItem(duty: Duty, subject: Subject, { project, repoName }: Naming): InboxItem {
  const about = aboutOf(subject)
  const projectId = project.project_id
  const from = { repo: repoName(duty.by.repoId), agentId: duty.by.agentId }
  const { why, next } = TOLD[duty.kind]({
    projectId,
    about,
    repo: from.repo,
    from: quoted(from.repo, FROM_LENGTH),
    duty,
  })
  return {
    id: itemId(duty.kind, projectId, about.id),
    kind: duty.kind,
    projectId,
    projectName: project.name,
    about,
    from,
    why,
    ...saidByOthers(duty, subject, repoName),
    since: duty.since,
    state: hashOf([duty.since, ...duty.basis]).slice(0, STATE_DIGITS),
    next,
  }
}

function saidByOthers(
  { kind, to }: Duty,
  subject: Subject,
  repoName: Naming['repoName'],
): Pick<InboxItem, 'objections' | 'findings'> {
  if (subject.kind !== 'contract') return {}
  const { value } = subject
  if (kind === 'revise_contract') return { objections: objectionsTo(value, repoName) }
  if (kind === 'verify_contract') return findings(partialsOf(value))
  const own = value.works.find(({ repo_id }) => 'only' in to && to.only === repo_id)
  return kind === 'revise_implementation' && own !== undefined ? findings(own.failures) : {}

  function findings(found: readonly VerificationEntity[]): Pick<InboxItem, 'findings'> {
    return found.length === 0 ? {} : { findings: tellFindings(found, repoName) }
  }
}

export function tellWait(
  { on, to, since }: Wait,
  subject: Subject,
  { project, repoName }: Naming,
): WaitingItem {
  return {
    projectId: project.project_id,
    about: aboutOf(subject),
    repos: on.slice(0, NAMED).map(repoName),
    for: to,
    since,
  }
}

function aboutOf({ kind, value }: Subject): About {
  if (kind === 'project') return { kind, id: value.project_id, name: value.name }
  if (kind === 'contract')
    return { kind, id: value.contract_id, name: value.name, version: value.head.version }
  const question = value.content?.['question']
  return {
    kind,
    id: value.packet_id,
    name: shortened(typeof question === 'string' && question !== '' ? question : value.type),
  }
}

/** Counted in whole characters. */
const shortened = (text: string): string =>
  text.length <= NAME_LENGTH ? text : `${[...text.slice(0, NAME_LENGTH)].slice(0, -1).join('')}…`

interface Told {
  readonly projectId: string
  readonly about: About
  /** Whose doing it is, as it is called. */
  readonly repo: string
  /** The same, quoted. */
  readonly from: string
  readonly duty: Duty
}

const onContract = (
  method: string,
  { projectId, about }: Told,
  params: JsonObject = {},
  fill?: readonly string[],
): NextCall => ({
  method,
  params: { projectId, contractId: about.id, ...params },
  ...(fill === undefined ? {} : { fill }),
})

/** Agreeing to, changing or settling something else than what was read is refused. */
const asRead = ({ about }: Told): JsonObject => ({ version: about.version ?? 1 })

function whyLost(from: string, duty: Duty): string {
  const { agentId } = duty.by
  if (agentId === null)
    return `A settlement ended this agent’s claim of ${from}, and nobody holds it now: give that up, or join as another repo`
  const reason = isSettled(duty)
    ? 'by a settlement'
    : `since ${heldSince(duty)}, which counts before this agent’s claim`
  return `${from} is held by ${quoted(agentId, AGENT_LENGTH)} ${reason}: give that up, or join as another repo`
}

const TOLD: Record<ItemKind, (told: Told) => { readonly why: string; readonly next: NextCall }> = {
  join_project: ({ projectId, from }) => ({
    why: `${from} named this repo in a new project, and it has not joined yet`,
    next: { method: 'cacp/project/join', params: { projectId } },
  }),
  claim_lost: ({ projectId, repo, from, duty }) => ({
    why: whyLost(from, duty),
    next: { method: 'cacp/repo/release', params: { projectId, repoName: repo } },
  }),
  settle_claims: ({ projectId, repo, from, duty }) => ({
    why: `${quoted(duty.by.agentId ?? '', AGENT_LENGTH)} claims ${from} too, and the founder of the project has confirmed nobody yet: settle who holds it`,
    next: {
      method: 'cacp/repo/settle',
      params: { projectId, repoName: repo, holder: holderIn(duty) },
      fill: ['holder'],
    },
  }),
  answer_contract: (told) => ({
    why: `${told.from} proposed version ${told.about.version} and needs an answer: agree, request_change or reject`,
    next: onContract('cacp/contract/respond', told, { action: 'agree', ...asRead(told) }, ['action']),
  }),
  revise_contract: (told) => ({
    why: `${told.from} did not agree to version ${told.about.version}, which this repo proposed: propose a new version`,
    next: onContract(
      'cacp/contract/update',
      told,
      { content: { '…': 'the whole new content' }, ...asRead(told) },
      ['content'],
    ),
  }),
  resolve_conflict: (told) => ({
    why: `This repo and ${told.from} changed the contract without knowing of each other: settle which content holds`,
    next: onContract('cacp/contract/resolve', told, { keep: 'winner', ...asRead(told) }, ['keep']),
  }),
  start_implementation: (told) => ({
    why: `Version ${told.about.version} is agreed, and this repo has not started to implement it`,
    next: onContract('cacp/implementation/start', told),
  }),
  revise_implementation: (told) => ({
    why: `${told.from} found that it does not work together: this repo’s implementation needs revision`,
    next: onContract('cacp/implementation/start', told),
  }),
  waits_for_me: (told) => ({
    why: `${told.from} has completed its part and waits for this repo to complete its own`,
    next: onContract('cacp/implementation/complete', told, { files: [] }, ['files']),
  }),
  verify_contract: (told) => ({
    why: 'Every party has completed its part: try whether it works together, and say so',
    next: onContract('cacp/implementation/verify', told, { result: 'success' }, ['result']),
  }),
  answer_question: ({ projectId, about, from }) => ({
    why: `${from} asked a question that nobody has decided yet`,
    next: {
      method: 'cacp/context/share',
      params: { projectId, type: 'dependency_info', content: { answer: '…' }, replyTo: about.id },
      fill: ['content'],
    },
  }),
  accept_answer: ({ projectId, about, from, duty }) => ({
    why: `${from} replied to this repo’s question: record what is decided, or ask further`,
    next: {
      method: 'cacp/context/recordDecision',
      params: { projectId, decision: about.name, chosen: '…', rationale: '…', replyTo: newestAnswer(duty) },
      fill: ['chosen', 'rationale'],
    },
  }),
  fulfil_file_request: ({ projectId, about, from }) => ({
    why: `${from} asked for a file`,
    next: {
      method: 'cacp/file/fulfillRequest',
      params: {
        projectId,
        requestId: `${projectId}:${about.id}`,
        file: { name: 'file.txt', content: '4oCm' },
      },
      fill: ['file'],
    },
  }),
}
