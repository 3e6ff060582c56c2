import type { Client } from '../../client.ts'
import { itemCalled } from '../../domain/names/only-one.ts'
import { callAndPrint } from '../derive/call.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, IDEMPOTENCY_KEY, PROJECT } from '../form/options.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { UsageError } from '../program/report.ts'

/** The type of the document for what other repositories should know, and that is no code, type or decision. */
export const PLAIN = 'dependency_info'

export const say = command({
  about: 'tell the other repositories something in plain words',
  words: { '<text...>': 'what to tell' },
  options: {
    '--to <repo...>': 'above all to these, who have it in their inbox; the others see it, too',
    '--reply-to <packet>':
      'packet that it replies to: its ID, the beginning of it, or what the question asks or the message in the inbox says',
    '--contract <contract...>': 'IDs or names of the contracts that it is about',
    ...PROJECT,
    ...IDEMPOTENCY_KEY,
    ...AGENT_ID,
  },
  examples: [
    "cacpd say 'The staging server is back'",
    "cacpd say 'Please try again' --to frontend-app --contract 'Get User Profile'",
  ],
  run: async (given, terminal) => {
    const { text, to, replyTo, contract: relatedContracts, project } = given
    const content = { message: textOf(text) }
    const item =
      replyTo && (await withDaemon(given, terminal, (client) => itemMeant(client, replyTo, project)))
    const about = item
      ? { projectId: item.projectId, replyTo: item.about.id }
      : { projectId: project, replyTo }
    const params = { ...about, type: PLAIN, content, to, relatedContracts }
    await callAndPrint('cacp/context/share', params, { given, terminal })
  },
})

export const answer = command({
  about: 'answer a question of another repository',
  words: {
    '<question>': 'ID of the question, the beginning of it, or what it asks, as `cacpd inbox` shows it',
    '<text...>': 'the answer',
  },
  options: {
    '--decide': 'record it as the decision, which closes the question',
    '--rationale <text>': 'why it was decided so',
    ...PROJECT,
    ...IDEMPOTENCY_KEY,
    ...AGENT_ID,
  },
  examples: [
    "cacpd answer 3f0e7a52 'Tokens live for an hour'",
    "cacpd answer 'JWT or cookies?' JWT --decide --rationale 'No session to keep'",
  ],
  ask: ({ question, text, project, decide, rationale = '', idempotencyKey }) => {
    const chosen = textOf(text)
    if (rationale !== '' && decide !== true)
      throw new UsageError('--rationale: belongs to a decision; add --decide')
    return async (client) => {
      const { projectId, packetId: replyTo, decision } = await questionMeant(client, question, project)
      const reply = { projectId, replyTo }
      const once = { idempotencyKey }
      if (decide === true)
        return client.call('cacp/context/recordDecision', { ...reply, decision, chosen, rationale }, once)
      const content = { answer: chosen }
      return client.call('cacp/context/share', { ...reply, type: PLAIN, content }, once)
    }
  },
})

/** A question by its id or the beginning of it, or as the inbox calls it, with what it asks to be decided. */
async function questionMeant(client: Client, word: string, project: string | undefined) {
  const item = await itemMeant(client, word, project)
  const { projectId, packetIds } = item
    ? { projectId: item.projectId, packetIds: [item.about.id] }
    : await client.call('cacp/lookup', { projectId: project, packets: [word] })
  const [packetId = word] = packetIds
  const { thread } = await client.call('cacp/context/getThread', { projectId, packetId })
  const packet = thread.find(({ packet_id }) => packet_id === packetId)
  const decision = packet?.content?.['question']
  if (packet?.type !== 'question' || typeof decision !== 'string')
    throw new UsageError(
      `QUESTION: packet ${packetId} is no question`,
      `To reply to it: cacpd say --reply-to ${packetId} TEXT`,
    )
  return { projectId, packetId, decision }
}

/** A question or message in the inbox; undefined where there is none that goes by this word. */
async function itemMeant(client: Client, word: string, projectId: string | undefined) {
  const { items } = await client.call('cacp/inbox/list', { projectId, limit: 200, includeAcked: true })
  const packets = items.filter(({ about }) => about.kind === 'packet')
  return itemCalled(packets, word, { mayShorten: true })
}

function textOf(words: readonly string[]): string {
  const text = words.join(' ').trim()
  if (text === '') throw new UsageError('TEXT: must not be empty')
  return text
}
