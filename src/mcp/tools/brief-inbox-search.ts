import * as z from 'zod'
import { lines, listIn, said, textIn, when, within } from '../text.ts'
import { READS, tool } from '../tool.ts'
import { inboxText } from './inbox-text.ts'
import { inToolWords } from './tool-call.ts'

const onlyIn = z.string().optional().describe('ID or name')

export const brief = tool({
  name: 'brief',
  title: 'What is new',
  description:
    'What the project is about, what is in force, what was decided, whom you block, who blocks you, open questions. Call it first, and later with since = the cursor it gave: only what is new then.',
  hints: READS,
  input: z.strictObject({
    since: z.string().optional().describe('cursor of an earlier answer'),
    projectId: onlyIn,
    budget: z.int().min(100).max(9000).optional().describe('tokens at most; default 1500'),
  }),
  example: { budget: 1500 },
  run: async (input, { call }) => {
    const answer = await call('cacp/brief', input)
    return lines(inToolWords(textIn(answer, 'text')) || 'Nothing new.', `cursor: ${answer['cursor']}`)
  },
})

export const inbox = tool({
  name: 'inbox',
  title: 'What waits for you',
  description:
    'What your repository must do for the others, oldest first, each with the reason and the exact next call; and whom you wait for. Reading changes nothing. To hide an item until it changes: call cacp/inbox/ack {itemId}; to tell other sessions that you do it: cacp/inbox/take {itemId}.',
  hints: READS,
  input: z.strictObject({ projectId: onlyIn, limit: z.int().min(1).max(200).optional() }),
  example: { limit: 20 },
  run: async (input, { call }) => {
    const answer = await call('cacp/inbox/list', input)
    return within(inboxText(answer), 'Ask for fewer with limit')
  },
})

export const search = tool({
  name: 'search',
  title: 'Search contracts and context',
  description:
    'Find contracts, questions, decisions, code and responses by words; typing errors are forgiven. Hits have ids for project {projectId, contractId | packetId}.',
  hints: READS,
  input: z.strictObject({
    query: z.string(),
    projectId: onlyIn,
    kind: z.enum(['contract', 'context', 'response']).optional(),
    limit: z.int().min(1).max(100).optional(),
  }),
  example: { query: 'login token' },
  run: async ({ projectId, ...input }, { call }) => {
    const only = projectId === undefined ? {} : { project: projectId }
    const answer = await call('cacp/search', { ...input, ...only })
    const hits = listIn(answer, 'hits')
    if (hits.length === 0) return 'Nothing found. Try other or fewer words.'
    return within(
      lines(
        `${hits.length} of ${answer['total']} found; what stands in quotes others wrote`,
        hits.map((hit) => {
          const of = hit['contractId'] === undefined ? '' : ` of contract ${textIn(hit, 'contractId')}`
          return `${textIn(hit, 'kind')} ${textIn(hit, 'id')}${of} in project ${textIn(hit, 'projectId')} ${said(hit['name'])} at ${when(hit['at'])}: ${said(hit['snippet'], 260)}`
        }),
      ),
      'Ask for fewer with limit',
    )
  },
})
