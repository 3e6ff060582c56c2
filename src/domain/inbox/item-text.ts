import { defined } from '../../protocol/collections/defined.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { listed } from '../names/listed.ts'
import { quoted } from '../names/quoted.ts'
import { TO_VERIFY } from '../proof/evidence.ts'
import { whyIgnored } from '../proof/ignored-file.ts'
import { holderClaimedAt, holderIn, isSettled, lostClaimIdOf } from '../repo/lost-claim.ts'
import { firstChoice, type ItemKind, ignoredFile, movedFile, newestAnswer } from './inbox.ts'
import type { ItemTextInput } from './item.ts'

const AGENT_NAME_LENGTH = 160

const PATH_LENGTH = 200

const REPLY_LENGTH = 200

const MOST_OPTIONS = 10
const OPTION_LENGTH = 60

function offered(options: readonly string[]): string {
  const named = options.map((one) => quoted(one, OPTION_LENGTH))
  return named.length === 0 ? '' : `; its options: ${listed(named, MOST_OPTIONS)}`
}

const MOST_CONTRACTS_NAMED = 3
const CONTRACT_NAME_LENGTH = 80

/** The missing dependencies; empty if there are none. */
export function waitsFor(missing: readonly string[] = []): string {
  if (missing.length === 0) return ''
  const named = missing.map((name) => quoted(name, CONTRACT_NAME_LENGTH))
  return `; it depends on ${listed(named, MOST_CONTRACTS_NAMED)}, which ${missing.length === 1 ? 'is' : 'are'} not in force yet`
}

/** The version in force while a proposal is open. */
const meanwhile = ({ change }: ItemTextInput): string =>
  change === undefined ? '' : `; version ${change.from} is in force until all agree`

type AboutContract = Pick<ItemTextInput, 'projectId' | 'about'>

export const onContract = (
  method: string,
  { projectId, about }: AboutContract,
  params: JsonObject = {},
  fill?: readonly string[],
): NextCall => ({
  method,
  params: { projectId, contractId: about.id, ...params },
  ...defined({ fill }),
})

/** With this version the call is refused if the contract has changed since it was read. */
export const asRead = ({ about }: Pick<ItemTextInput, 'about'>): JsonObject => ({
  version: about.version ?? 1,
})

function whyLost({ from, founder, duty }: ItemTextInput): string {
  const { agentId } = duty.by
  const ways = `give that up, join as another repo, or, if it is this agent’s, ask ${quoted(founder, AGENT_NAME_LENGTH)}, who founded the project, to call cacp/repo/settle (\`cacpd repo settle\`) with holder ${lostClaimIdOf(duty)}`
  if (agentId === null)
    return `A settlement ended this agent’s claim of ${from}, and nobody holds it now: ${ways}`
  const reason = isSettled(duty)
    ? 'by a settlement'
    : `since ${holderClaimedAt(duty)}, which counts before this agent’s claim`
  return `${from} is held by ${quoted(agentId, AGENT_NAME_LENGTH)} ${reason}: ${ways}`
}

/** The times come from the claims themselves, so that an earlier one proves nothing. */
function whyContested({ from, duty }: ItemTextInput): string {
  const { agentId, since } = holderIn(duty)
  const holder = `${quoted(agentId, AGENT_NAME_LENGTH)} since ${since}, who holds it so far`
  const rival = `${quoted(duty.by.agentId ?? '', AGENT_NAME_LENGTH)} since ${duty.since}`
  return `${from} is claimed by ${holder}, and by ${rival}, each by its own word; the founder of the project has confirmed nobody yet: settle who holds it, by the agent ID of one of them, or null for nobody`
}

function whyAgain({ from, about, duty }: ItemTextInput): string {
  const file = movedFile(duty)
  if (file === '')
    return `This repo verified version ${about.version} without evidence: \`cacpd verify\` runs a command and sends what it showed`
  return `${quoted(file, PATH_LENGTH)} of ${from} changed since version ${about.version} was verified: try again whether it works together`
}

function whyDeclare({ duty }: ItemTextInput): string {
  const file = ignoredFile(duty)
  return `Nobody would see a change of ${quoted(file.path, PATH_LENGTH)}, which this repo declared: ${whyIgnored(file)}. Complete it again with the files that count`
}

const verification = (input: ItemTextInput): NextCall =>
  onContract('cacp/implementation/verify', input, TO_VERIFY, Object.keys(TO_VERIFY))

const completion = (input: ItemTextInput): NextCall =>
  onContract('cacp/implementation/complete', input, { files: [] }, ['files'])

/** A party that objects does not answer again: it waits for a version that meets its objection. */
const newVersion = ({ projectId, about }: ItemTextInput): NextCall => ({
  method: 'cacp/wait',
  params: {
    until: { contract: { projectId, contractId: about.id, versionAbove: about.version ?? 1 } },
    timeoutSeconds: 50,
  },
})

const decision = ({ projectId, about }: ItemTextInput, chosen: string, replyTo: string): NextCall => ({
  method: 'cacp/context/recordDecision',
  params: { projectId, decision: about.name, chosen, rationale: PLACEHOLDER, replyTo },
  fill: ['chosen', 'rationale'],
})

/** By item kind: why there is something to do, and the call that does it. */
export const ITEM_TEXTS: Record<
  ItemKind,
  (input: ItemTextInput) => { readonly why: string; readonly next: NextCall }
> = {
  join_project: ({ projectId, from }) => ({
    why: `${from} named this repo in a new project, and it has not joined yet`,
    next: { method: 'cacp/project/join', params: { projectId } },
  }),
  claim_lost: (input) => ({
    why: whyLost(input),
    next: {
      method: 'cacp/repo/release',
      params: { projectId: input.projectId, repoName: input.repo },
    },
  }),
  settle_claims: (input) => ({
    why: whyContested(input),
    next: {
      method: 'cacp/repo/settle',
      // Suggesting one of them would be a decision.
      params: { projectId: input.projectId, repoName: input.repo, holder: null },
      fill: ['holder'],
    },
  }),
  answer_contract: (input) => ({
    why: input.isObjecting
      ? `This repo objects to version ${input.about.version} of ${input.from}: it is not agreed before this repo agrees to it, or to a new version${meanwhile(input)}`
      : input.isAlone
        ? `Nobody but this repo has to agree to version ${input.about.version}, which it proposed itself: agree to it, or take it back${meanwhile(input)}`
        : `${input.from} proposed ${input.isEnd ? 'its end in ' : ''}version ${input.about.version} and needs an answer: agree, request_change or reject${meanwhile(input)}`,
    next: input.isObjecting
      ? newVersion(input)
      : onContract('cacp/contract/respond', input, { action: 'agree', ...asRead(input) }, ['action']),
  }),
  revise_contract: (input) => ({
    why: `${input.from} did not agree to version ${input.about.version}, which this repo proposed: propose a new version${input.change === undefined ? '' : ', or drop the change (restore instead of content)'}${meanwhile(input)}`,
    next: onContract(
      'cacp/contract/update',
      input,
      { content: { [PLACEHOLDER]: 'the whole new content' }, ...asRead(input) },
      ['content'],
    ),
  }),
  resolve_conflict: (input) => ({
    why: `This repo and ${input.from} changed the contract without knowing of each other: settle which content holds`,
    next: onContract('cacp/contract/resolve', input, { keep: 'winner', ...asRead(input) }, ['keep']),
  }),
  start_implementation: (input) => ({
    why: `Version ${input.about.version} is agreed, and this repo has not started to implement it${waitsFor(input.missing)}`,
    next: onContract('cacp/implementation/start', input),
  }),
  revise_implementation: (input) => ({
    why: `${input.from} found that it does not work together: this repo’s implementation needs revision`,
    next: onContract('cacp/implementation/start', input),
  }),
  complete_implementation: (input) => ({
    why: `This repo has started to implement version ${input.about.version}: say when its part is complete`,
    next: completion(input),
  }),
  waits_for_me: (input) => ({
    why: `${input.from} has completed its part and waits for this repo to complete its own`,
    next: completion(input),
  }),
  declare_again: (input) => ({
    why: whyDeclare(input),
    next: completion(input),
  }),
  verify_contract: (input) => ({
    why: 'Every party has completed its part: try whether it works together, and say so',
    next: verification(input),
  }),
  verify_again: (input) => ({
    why: whyAgain(input),
    next: verification(input),
  }),
  answer_question: ({ projectId, about, from, options }) => ({
    why: `${from} asked a question that nobody has decided yet${offered(options)}`,
    next: {
      method: 'cacp/context/share',
      params: { projectId, type: 'dependency_info', content: { answer: PLACEHOLDER }, replyTo: about.id },
      fill: ['content'],
    },
  }),
  accept_answer: (input) => ({
    why: `${input.from} replied ${input.reply === '' ? '' : `${quoted(input.reply, REPLY_LENGTH)} `}to this repo’s question: record what is decided, or ask further`,
    next: decision(input, PLACEHOLDER, newestAnswer(input.duty)),
  }),
  settle_decisions: (input) => ({
    why: `${input.from} decided otherwise than this repo on this question, and before it: record the same decision, or ask it to record this repo’s`,
    next: decision(input, firstChoice(input.duty), input.about.id),
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
