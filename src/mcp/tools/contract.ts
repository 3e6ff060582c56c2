import * as z from 'zod'
import { Detailed } from '../../methods/shapes.ts'
import { Fault } from '../../protocol/fault.ts'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { ContractType, ResponseAction } from '../../protocol/words.ts'
import { lines, said, textIn } from '../text.ts'
import { ADDS, tool } from '../tool.ts'
import { contractId, EXAMPLE_PROJECT, EXAMPLE_TARGET, projectId } from './ids.ts'
import { reviewLines } from './review-text.ts'

const version = z.int().optional().describe('the version you read; refused if it moved on since')

export const propose = tool({
  name: 'contract_propose',
  title: 'Propose a contract',
  description:
    'Propose an interface between repositories (endpoint, event, data model, …). Another party answers with contract_respond; wait for statusAtLeast agreed before you build on it.',
  hints: ADDS,
  input: z.strictObject({
    projectId,
    type: ContractType,
    name: z.string(),
    content: FreeObject.describe('the interface itself, as JSON, complete enough to implement against'),
    parties: z
      .array(z.string())
      .optional()
      .describe('names of the repos that must implement it; default all that joined'),
  }),
  example: {
    projectId: EXAMPLE_PROJECT,
    type: 'api_endpoint',
    name: 'Get user profile',
    content: { method: 'GET', path: '/users/{id}', response: { id: 'string', email: 'string' } },
  },
  run: async (input, { call }) => {
    const answer = await call('cacp/contract/propose', input)
    const { contractId: id, version: at, status } = answer
    return lines(
      `contract ${id} v${at} ${status}`,
      namedIn(answer, 'parties', 'parties:'),
      textIn(answer, 'hint'),
      reviewLines(answer, { projectId: input.projectId, contractId: id }, { isAuthor: true }),
      onceProposed({ projectId: input.projectId, contractId: String(id) }, answer),
    )
  },
})

export const respond = tool({
  name: 'contract_respond',
  title: 'Answer a contract',
  description:
    'Agree to a proposed contract, request a change of it, or reject it. Read it first with project {projectId, contractId}.',
  hints: ADDS,
  input: z.strictObject({
    projectId,
    contractId,
    action: ResponseAction,
    comment: z.string().optional().describe('why; required with request_change'),
    suggestedChange: Detailed.optional().describe('what it should be instead'),
    accepts: z
      .union([z.literal('all'), z.array(z.string())])
      .optional()
      .describe('with agree: changes that break your repo and that you take on, by fingerprint, or all'),
    version,
  }),
  example: { ...EXAMPLE_TARGET, action: 'request_change', comment: 'email must be nullable', version: 1 },
  run: async (input, { call }) => {
    const answer = await call('cacp/contract/respond', input)
    const { contractStatus, contractVersion } = answer
    return lines(
      `${answer['status']}: contract ${input.contractId} v${contractVersion} is ${contractStatus}`,
      namedIn(answer, 'objections', 'objected to by'),
      namedIn(answer, 'unanswered', 'not answered yet by'),
      reviewLines(answer, input),
      onceAnswered(input, answer),
    )
  },
})

export const update = tool({
  name: 'contract_update',
  title: 'Change a contract',
  description:
    'Propose a new version of a contract, for example after a change was requested; what is in force holds until it is agreed. Send the whole new content, or acceptSuggestion.',
  hints: ADDS,
  input: z.strictObject({
    projectId,
    contractId,
    content: FreeObject.optional(),
    acceptSuggestion: z.string().optional().describe('id of an answer whose suggestion becomes the content'),
    addParties: z.array(z.string()).optional().describe('names of repos'),
    changeNote: z.string().optional().describe('what changed and why'),
    version,
  }),
  example: {
    ...EXAMPLE_TARGET,
    content: { method: 'GET', path: '/users/{id}', response: { id: 'string', email: 'string or null' } },
    changeNote: 'email is nullable',
    version: 1,
  },
  run: async (input, { call }) => {
    const { content, acceptSuggestion, addParties } = input
    if ([content, acceptSuggestion, addParties].every((one) => one === undefined))
      throw new Fault('invalid_params', 'content required', {
        next: 'Or send acceptSuggestion or addParties',
      })
    const answer = await call('cacp/contract/update', input)
    return lines(
      `contract ${input.contractId} v${answer['version']} ${answer['status']}`,
      reviewLines(answer, input, { isAuthor: true }),
      onceProposed(input, answer),
    )
  },
})

/** The author waits for the others to agree; where there is no other party, it is the author who has to agree. */
function onceProposed(of: Target, { version: at, unanswered }: JsonObject): string {
  if (unanswered === undefined)
    return `next: contract_respond ${JSON.stringify({ ...target(of), action: 'agree', version: at })}`
  const until = { ...target(of), statusAtLeast: 'agreed', versionAbove: Number(at) - 1 }
  return `next: wait ${JSON.stringify({ until: { contract: until } })}`
}

function onceAnswered(
  input: Target & { readonly action: ResponseAction },
  { contractStatus, contractVersion, retired }: JsonObject,
): string {
  if (retired === true) return 'the contract has ended: all agreed to that, and nothing is left to do'
  return contractStatus === 'agreed'
    ? `next: implementation ${JSON.stringify({ ...target(input), action: 'start' })}`
    : `next: wait ${JSON.stringify({ until: goingOn(input, Number(contractVersion)) })}`
}

/** Who agreed waits for the others to do so too, or for another version; who did not, for that alone. */
function goingOn(input: Target & { readonly action: ResponseAction }, version: number): JsonObject {
  const newer = { contract: { ...target(input), versionAbove: version } }
  if (input.action !== 'agree') return newer
  return {
    any: [{ contract: { ...target(input), statusAtLeast: 'agreed', versionAbove: version - 1 } }, newer],
  }
}

function namedIn(answer: JsonObject, key: string, word: string): string | undefined {
  const names = answer[key]
  return Array.isArray(names) ? `${word} ${names.map((name) => said(name)).join(' ')}` : undefined
}

interface Target {
  readonly projectId?: string | undefined
  readonly contractId: string
}

const target = ({ projectId, contractId }: Target): JsonObject => ({ projectId, contractId })
