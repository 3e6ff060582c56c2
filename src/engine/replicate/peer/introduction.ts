import type { Self } from '../../../domain/env.ts'
import { isJsonObject } from '../../../protocol/json/json.ts'
import type { Conversation } from './conversation.ts'

/**
 * Tells another cacpd who we are and where; `told` is where it was told before that we are. Returns where it knows us
 * to be now. Whoever it does not know gets only what any client may send. One that it knows it is not told of again
 * unless we moved: its operator may have found a better endpoint for us, and two daemons would wake each other without
 * end.
 */
export async function introduce(
  conversation: Conversation,
  { agentId, endpoint, repo: repoName }: Self,
  told: string | undefined,
): Promise<string | undefined> {
  const us = { agentId, endpoint, repoName }
  await conversation.call('cacp/peer/announce', us)
  const { peers } = await conversation.call('cacp/peer/list', {})
  const isKnown = Array.isArray(peers) && peers.some((one) => isJsonObject(one) && one['agentId'] === agentId)
  const hasMoved = told !== undefined && told !== endpoint
  if (isKnown && !hasMoved) return told ?? endpoint
  // One that does not want to know us may still take what we send.
  const isTaken = await conversation.register(us).then(
    () => true,
    () => false,
  )
  return isTaken ? endpoint : (told ?? endpoint)
}
