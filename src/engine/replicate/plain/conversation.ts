import type { Self } from '../../../domain/env.ts'
import { jsonIn } from '../../../protocol/json/in.ts'
import { isJsonObject } from '../../../protocol/json/json.ts'
import type { Clock } from '../../ports/ports.ts'
import { clockSkew } from '../peer/clock-skew.ts'
import { type ConversationDeps, callText, type Outcome, outcomeIn } from '../peer/conversation.ts'

interface PlainConversationDeps extends ConversationDeps {
  self: Self
}

export type PlainOutcome = Outcome & {
  readonly text: string
  /** It says for certain that it does not have what it was asked for, and not that it cannot tell now. */
  readonly isMissing: boolean
}

export type PlainConversation = ReturnType<typeof createPlainConversation>

/** JSON-RPC with a plain peer, which takes one call at a time and knows us only after we registered. */
export function createPlainConversation({ client, endpoint, agentId, millis, self }: PlainConversationDeps) {
  return {
    ask,

    /** A sync, which says from whom it comes. */
    hand: (method: string, params: object): Promise<Outcome> =>
      ask(method, { ...params, source_agent: self.agentId }),

    /**
     * It forgets its peers when it ends, and goes silent towards those that failed three times; so it is told again and
     * again. It notes when by its own clock, which is all it tells of that: answers by how much that is ahead of ours.
     */
    async register(clock: Pick<Clock, 'now'>): Promise<number | null> {
      const body = { agentId: self.agentId, endpoint: self.endpoint, repoName: self.repo }
      const asked = clock.now()
      await client.post(`${endpoint}/peers/register`, JSON.stringify(body), millis, agentId)
      const answered = clock.now()
      return clockSkew(await lastSeen(), { asked, answered })
    },
  }

  async function ask(method: string, params: object): Promise<PlainOutcome> {
    const body = `{"jsonrpc":"2.0","id":1,${callText(method, JSON.stringify(params))}}`
    const text = await client.post(`${endpoint}/`, body, millis, agentId)
    const outcome = outcomeIn(text)
    return { ...outcome, text, isMissing: outcome.error !== undefined && isNotFound(text) }
  }

  /** When it last heard of us, as it says. */
  async function lastSeen(): Promise<unknown> {
    const answer = await client.get(`${endpoint}/peers`, millis, agentId).then(jsonIn, () => null)
    const peers = isJsonObject(answer) && Array.isArray(answer['peers']) ? answer['peers'] : []
    return peers.filter(isJsonObject).find((one) => one['agentId'] === self.agentId)?.['lastSeen']
  }
}

/** The reference answers with invalid params to an id that it does not know, and to nothing else that we ask. */
function isNotFound(text: string): boolean {
  const answer: unknown = JSON.parse(text)
  const error = isJsonObject(answer) ? answer['error'] : undefined
  return isJsonObject(error) && error['code'] === -32602
}
