import { request } from 'undici'
import { readStatement, type Statement, textOf } from '../../src/domain/statements/statement.ts'
import { readInviteUrl } from '../../src/domain/trust/invite-url.ts'
import { apiKeyOf, hashOfSecret } from '../../src/domain/trust/keys.ts'
import { PAIR_TYP } from '../../src/domain/trust/pairing.ts'
import { newSecret } from '../../src/io/identity/secret.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import { type Stamp, stampOfMillis } from '../../src/protocol/stamp.ts'
import type { TestDaemon } from '../support/daemons/daemon.ts'
import { SigningAuthor } from '../support/desk/signing-author.ts'

export interface Outcome {
  status: 'taken' | 'known' | 'waits' | 'refused'
  reason?: string
}

/** Somebody who was invited by a daemon, has a key of its own, and says whatever it likes. */
export interface Invited {
  readonly author: SigningAuthor
  readonly agentId: string
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  call(method: string, params: object): Promise<any>
  /** What the daemon says to each. */
  tell(...statements: readonly (Statement | string)[]): Promise<Outcome[]>
  /** All that the daemon has of a project, as any member may ask. */
  hear(projectId: string): Promise<Statement[]>
}

export async function invitedBy(
  at: TestDaemon,
  name: string,
  { author = new SigningAuthor(name), endpoint = 'http://127.0.0.1:9' } = {},
): Promise<Invited> {
  const agentId = `aid://example.com/${name}@1.0.0`
  const { url } = await at.rpc('cacp/invite/create', {})
  const { endpoint: there, secret, keyId } = readInviteUrl(url)
  const claims = { sub: agentId, aud: keyId, secretHash: hashOfSecret(secret), iat: 0 }
  const paired = await post(`${there}/pair`, {
    agentId,
    repoName: name,
    endpoint,
    publicKey: { ...author.publicKey },
    apiKey: apiKeyOf(newSecret()),
    secret,
    proof: await author.jws(claims, PAIR_TYP),
  })
  const authorization = `Bearer ${paired['apiKey']}`
  const call: Invited['call'] = async (method, params) => {
    const answer = await post(at.url, { jsonrpc: '2.0', id: 1, method, params }, { authorization })
    if (answer['error'] !== undefined) throw Object.assign(new Error('refused'), answer['error'])
    return answer['result']
  }
  return {
    author,
    agentId,
    call,
    async tell(...statements) {
      const texts = statements.map((one) => (typeof one === 'string' ? one : textOf(one)))
      const outcomes: Outcome[] = []
      for (let next = 0; next < texts.length; next += LIMITS.statements) {
        const some = texts.slice(next, next + LIMITS.statements)
        outcomes.push(...(await call('cacp/sync/statements', { statements: some })).outcomes)
      }
      return outcomes
    },
    async hear(projectId) {
      const { ids } = await call('cacp/sync/keys', { projectId, count: 1, buckets: [0] })
      const { statements } = await call('cacp/sync/fetch', { projectId, ids })
      return statements.map((text: string) => {
        const read = readStatement(text)
        if ('refused' in read) throw new Error(read.refused)
        return read.statement
      })
    },
  }
}

async function post(url: string, body: object, headers = {}): Promise<Record<string, unknown>> {
  const reply = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await reply.body.json()) as Record<string, unknown>
}

/** The present time, or so many seconds before or after it. */
export const inSeconds = (seconds: number): Stamp => stampOfMillis(Date.now() + seconds * 1000)

/** What a daemon's operator is told that was refused of somebody. */
export async function refusedOf(
  at: TestDaemon,
  agentId: string,
): Promise<{ count: number; reasons: string[] }> {
  const { peers } = await at.rpc('cacp/peer/list')
  const { refused } = peers.find((one: { agentId: string }) => one.agentId === agentId)
  return { count: refused.count, reasons: refused.newest.map(({ reason }: { reason: string }) => reason) }
}
