import { request } from 'undici'
import { readInviteUrl } from '../../../src/domain/trust/invite-url.ts'
import { apiKeyOf, hashOfSecret } from '../../../src/domain/trust/keys.ts'
import { PAIR_TYP } from '../../../src/domain/trust/pairing.ts'
import type { Identity } from '../../../src/engine/ports/ports.ts'
import { openIdentity } from '../../../src/io/identity/identity.ts'
import { newSecret } from '../../../src/io/identity/secret.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import { folderWith } from '../folders/folder.ts'

/** Somebody who uses an invite without a daemon: what it sends can be anything. */
export interface Newcomer {
  readonly agentId: string
  readonly identity: Identity
  /** What it sends; what is given comes in the place of what is right. */
  pair(url: string, given?: object): Promise<{ status: number; body: Record<string, unknown> }>
}

export async function newcomer(name: string): Promise<Newcomer> {
  await using folder = await folderWith()
  const identity = await openIdentity(folder.path, systemClock)
  const agentId = `aid://example.com/${name}@1.0.0`
  return {
    agentId,
    identity,
    async pair(url, given = {}) {
      const { endpoint, secret, keyId } = readInviteUrl(url)
      const claims = { sub: agentId, aud: keyId, secretHash: hashOfSecret(secret), iat: 0 }
      const sent = {
        agentId,
        repoName: name,
        endpoint: 'http://127.0.0.1:9',
        publicKey: identity.publicKey,
        apiKey: apiKeyOf(newSecret()),
        secret,
        proof: await identity.sign(claims, PAIR_TYP),
        ...given,
      }
      const reply = await request(`${endpoint}/pair`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
      return { status: reply.statusCode, body: (await reply.body.json()) as Record<string, unknown> }
    },
  }
}
