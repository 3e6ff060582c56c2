import type { JsonObject } from '../../protocol/json/json.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import { quoted } from '../names/quoted.ts'
import { holderClaimedAt, holderIn, isSettled, lostClaimIdOf } from '../repo/lost-claim.ts'
import { type Duty, firstChoice, type ItemKind, newestAnswer } from './inbox.ts'
import type { About, NextCall } from './item.ts'

/** Of an agent in a sentence, with its quotes. */
const AGENT_LENGTH = 160

/** What there is to say about a duty. */
export interface Told {
  /** Of the item. */
  readonly itemId: string
  readonly projectId: string
  readonly about: About
  /** Whose doing it is, as it is called. */
  readonly repo: string
  /** The same, quoted. */
  readonly from: string
  readonly duty: Duty
  /** The agent that founded the project. */
  readonly founder: string
  /** The repo that has to answer has done so, and not agreed. */
  readonly isObjecting: boolean
  /** The version in force, where another one is proposed. */
  readonly inForce: number | undefined
  /** What is proposed is that nothing of the contract is in force any more. */
  readonly isEnd: boolean
  /** Names of contracts that have to be in force before it can be built, and are not. */
  readonly missing: readonly string[]
  /** The repo that has to answer wrote it itself, and nobody else has to. */
  readonly isAlone: boolean
  /** What a question offers. */
  readonly options: readonly string[]
  /** What was replied to a question; empty where that cannot be told. */
  readonly reply: string
}

/** Of a reply that is told. */
const REPLY_LENGTH = 200

/** Options that are told, of so many characters. */
const OPTIONS = 10
const OPTION_LENGTH = 60

const offered = (options: readonly string[]): string =>
  options.length === 0
    ? ''
    : `; its options: ${options
        .slice(0, OPTIONS)
        .map((one) => quoted(one, OPTION_LENGTH))
        .join(', ')}${options.length > OPTIONS ? ` and ${options.length - OPTIONS} more` : ''}`

/** Contracts that are named in a sentence, and characters of such a name. */
const NAMED = 3
const NAME_LENGTH = 80

/** What has to come before; empty where nothing is missing. */
export function waitsFor(missing: readonly string[] = []): string {
  if (missing.length === 0) return ''
  const named = missing.slice(0, NAMED).map((name) => quoted(name, NAME_LENGTH))
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
  return `; it depends on ${named.join(', ')}${more}, which ${missing.length === 1 ? 'is' : 'are'} not in force yet`
}

/** What holds while the rest is talked about. */
const meanwhile = ({ inForce }: Told): string =>
  inForce === undefined ? '' : `; version ${inForce} is in force until all agree`

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

function whyLost({ from, founder, duty }: Told): string {
  const { agentId } = duty.by
  const ways = `give that up, join as another repo, or, if it is this agent’s, ask ${quoted(founder, AGENT_LENGTH)}, who founded the project, to call cacp/repo/settle (\`cacpd repo settle\`) with holder ${lostClaimIdOf(duty)}`
  if (agentId === null)
    return `A settlement ended this agent’s claim of ${from}, and nobody holds it now: ${ways}`
  const reason = isSettled(duty)
    ? 'by a settlement'
    : `since ${holderClaimedAt(duty)}, which counts before this agent’s claim`
  return `${from} is held by ${quoted(agentId, AGENT_LENGTH)} ${reason}: ${ways}`
}

/** A time is as whoever claims it says: an older one proves nothing. */
function whyContested({ from, duty }: Told): string {
  const { agentId, since } = holderIn(duty)
  const holder = `${quoted(agentId, AGENT_LENGTH)} since ${since}, who holds it so far`
  const rival = `${quoted(duty.by.agentId ?? '', AGENT_LENGTH)} since ${duty.since}`
  return `${from} is claimed by ${holder}, and by ${rival}, each by its own word; the founder of the project has confirmed nobody yet: settle who holds it, by the agent ID of one of them, or null for nobody`
}

const completion = (told: Told): NextCall =>
  onContract('cacp/implementation/complete', told, { files: [] }, ['files'])

/** Whoever has said no and does what its item says must not say it again: it waits for its objection to be met. */
const newVersion = ({ projectId, about }: Told): NextCall => ({
  method: 'cacp/wait',
  params: {
    until: { contract: { projectId, contractId: about.id, versionAbove: about.version ?? 1 } },
    timeoutSeconds: 50,
  },
})

/** Why there is something to do, and the call that does it. */
export const TOLD: Record<ItemKind, (told: Told) => { readonly why: string; readonly next: NextCall }> = {
  join_project: ({ projectId, from }) => ({
    why: `${from} named this repo in a new project, and it has not joined yet`,
    next: { method: 'cacp/project/join', params: { projectId } },
  }),
  claim_lost: (told) => ({
    why: whyLost(told),
    next: {
      method: 'cacp/repo/release',
      params: { projectId: told.projectId, repoName: told.repo },
    },
  }),
  settle_claims: (told) => ({
    why: whyContested(told),
    next: {
      method: 'cacp/repo/settle',
      // To suggest one of them would be to choose.
      params: { projectId: told.projectId, repoName: told.repo, holder: null },
      fill: ['holder'],
    },
  }),
  answer_contract: (told) => ({
    why: told.isObjecting
      ? `This repo objects to version ${told.about.version} of ${told.from}: it is not agreed before this repo agrees to it, or to a new version${meanwhile(told)}`
      : told.isAlone
        ? `Nobody but this repo has to agree to version ${told.about.version}, which it proposed itself: agree to it, or take it back${meanwhile(told)}`
        : `${told.from} proposed ${told.isEnd ? 'its end in ' : ''}version ${told.about.version} and needs an answer: agree, request_change or reject${meanwhile(told)}`,
    next: told.isObjecting
      ? newVersion(told)
      : onContract('cacp/contract/respond', told, { action: 'agree', ...asRead(told) }, ['action']),
  }),
  revise_contract: (told) => ({
    why: `${told.from} did not agree to version ${told.about.version}, which this repo proposed: propose a new version${told.inForce === undefined ? '' : ', or drop the change (restore instead of content)'}${meanwhile(told)}`,
    next: onContract(
      'cacp/contract/update',
      told,
      { content: { [PLACEHOLDER]: 'the whole new content' }, ...asRead(told) },
      ['content'],
    ),
  }),
  resolve_conflict: (told) => ({
    why: `This repo and ${told.from} changed the contract without knowing of each other: settle which content holds`,
    next: onContract('cacp/contract/resolve', told, { keep: 'winner', ...asRead(told) }, ['keep']),
  }),
  start_implementation: (told) => ({
    why: `Version ${told.about.version} is agreed, and this repo has not started to implement it${waitsFor(told.missing)}`,
    next: onContract('cacp/implementation/start', told),
  }),
  revise_implementation: (told) => ({
    why: `${told.from} found that it does not work together: this repo’s implementation needs revision`,
    next: onContract('cacp/implementation/start', told),
  }),
  complete_implementation: (told) => ({
    why: `This repo has started to implement version ${told.about.version}: say when its part is complete`,
    next: completion(told),
  }),
  waits_for_me: (told) => ({
    why: `${told.from} has completed its part and waits for this repo to complete its own`,
    next: completion(told),
  }),
  verify_contract: (told) => ({
    why: 'Every party has completed its part: try whether it works together, and say so',
    next: onContract('cacp/implementation/verify', told, { result: 'success' }, ['result']),
  }),
  answer_question: ({ projectId, about, from, options }) => ({
    why: `${from} asked a question that nobody has decided yet${offered(options)}`,
    next: {
      method: 'cacp/context/share',
      params: { projectId, type: 'dependency_info', content: { answer: PLACEHOLDER }, replyTo: about.id },
      fill: ['content'],
    },
  }),
  accept_answer: ({ projectId, about, from, duty, reply }) => ({
    why: `${from} replied ${reply === '' ? '' : `${quoted(reply, REPLY_LENGTH)} `}to this repo’s question: record what is decided, or ask further`,
    next: {
      method: 'cacp/context/recordDecision',
      params: {
        projectId,
        decision: about.name,
        chosen: PLACEHOLDER,
        rationale: PLACEHOLDER,
        replyTo: newestAnswer(duty),
      },
      fill: ['chosen', 'rationale'],
    },
  }),
  settle_decisions: ({ projectId, about, from, duty }) => ({
    why: `${from} decided otherwise than this repo on this question, and before it: record the same decision, or ask it to record this repo’s`,
    next: {
      method: 'cacp/context/recordDecision',
      params: {
        projectId,
        decision: about.name,
        chosen: firstChoice(duty),
        rationale: PLACEHOLDER,
        replyTo: about.id,
      },
      fill: ['chosen', 'rationale'],
    },
  }),
  read_message: ({ itemId, from }) => ({
    why: `${from} said this to this repo: read it, and reply to it or acknowledge it`,
    next: { method: 'cacp/inbox/ack', params: { itemId } },
  }),
  fulfil_file_request: ({ projectId, about, from }) => ({
    why: `${from} asked for a file`,
    next: {
      method: 'cacp/file/fulfillRequest',
      params: {
        projectId,
        requestId: `${projectId}:${about.id}`,
        file: { name: 'file.txt', content: PLACEHOLDER },
      },
      fill: ['file'],
    },
  }),
}
