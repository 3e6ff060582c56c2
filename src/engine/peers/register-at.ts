import type { Self } from '../../domain/env.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { Addressee, PeerClient } from '../ports/ports.ts'

const STATUS_LENGTH = 50

/** Registers this daemon with the one at a URL, and returns the status that one answers. */
export async function registerAt(
  url: string,
  { client, self, millis, to }: { client: PeerClient; self: Self; millis: number; to?: Addressee },
): Promise<string> {
  const body = JSON.stringify({ agentId: self.agentId, endpoint: self.endpoint, repoName: self.repo })
  const answer = jsonIn(await client.post(`${url}/peers/register`, body, millis, to))
  return isJsonObject(answer) ? String(answer['status']).slice(0, STATUS_LENGTH) : 'unknown'
}
