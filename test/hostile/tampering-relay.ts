import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { idOf, readStatement, type Statement, textOf } from '../../src/domain/statements/statement.ts'
import { PROOF_PATH, PROOF_TYP, proofClaims } from '../../src/domain/trust/proof.ts'
import { SYNC_FORMAT } from '../../src/methods/peers/replication.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import type { TestDaemon } from '../support/daemons/daemon.ts'
import { SigningAuthor } from '../support/desk/signing-author.ts'
import { type Invited, invitedBy } from './invited.ts'

/** What it puts in the place of another one's words. */
export const TAMPERED = 'tampered with'

export interface TamperingRelay extends AsyncDisposable {
  readonly agentId: string
  /** Lets itself be invited by a daemon. */
  join(at: TestDaemon): Promise<void>
  /** Statements that it heard so far. */
  readonly heard: ReadonlyMap<string, string>
}

/** A daemon between others that is let in by all of them, and hands on nothing as it was said. */
export async function tamperingRelay(name: string): Promise<TamperingRelay> {
  const author = new SigningAuthor(name)
  const agentId = `aid://example.com/${name}@1.0.0`
  const heard = new Map<string, string>()
  const doors = new Set<Invited>()

  /** Tells everybody, in all ways in which one can get it wrong. */
  const handOn = (statement: Statement) => {
    for (const door of doors) door.tell(...tampered(statement, author)).catch(() => {})
  }

  const answers: Record<string, (params: JsonObject) => unknown> = {
    'cacp/sync/hello': () => ({
      storeId: 'the-store-of-the-relay',
      format: SYNC_FORMAT,
      now: new Date().toISOString(),
    }),
    'cacp/sync/statements': ({ statements }) => {
      const texts = statements as string[]
      for (const one of texts) {
        const read = readStatement(one)
        if ('refused' in read || heard.has(read.statement.id)) continue
        heard.set(read.statement.id, one)
        handOn(read.statement)
      }
      return { outcomes: texts.map(() => ({ status: 'taken' })) }
    },
    'cacp/sync/digest': () => ({
      projects: [...new Set(all().map(({ project_id }) => project_id))].map((projectId) => ({
        projectId,
        digest: '0'.repeat(32),
        count: heard.size,
      })),
    }),
    'cacp/sync/buckets': () => ({ digests: [] }),
    'cacp/sync/keys': ({ projectId }) => ({
      ids: all()
        .filter(({ project_id }) => project_id === projectId)
        .map(({ id }) => id),
    }),
    'cacp/sync/fetch': ({ ids }) => ({
      statements: (ids as string[]).flatMap((id) =>
        all()
          .filter((one) => one.id === id)
          .map((one) => textOf(tampered(one, author)[0] as Statement)),
      ),
    }),
  }
  const all = () =>
    [...heard.values()].flatMap((one) => {
      const read = readStatement(one)
      return 'statement' in read ? [read.statement] : []
    })

  async function reply(request: IncomingMessage): Promise<unknown> {
    const { url = '' } = request
    if (url === '/.well-known/agent.json')
      return {
        name,
        protocols: { cacp: '2.0' },
        extensions: {
          cacp: { agentId, repo: name },
          cacpd: { syncFormat: SYNC_FORMAT, identity: { key: { ...author.publicKey }, rotations: [] } },
        },
      }
    if (url.startsWith(PROOF_PATH)) {
      const { localAddress: address = '' } = request.socket
      const challenge = url.slice(PROOF_PATH.length + 1)
      const claims = proofClaims({
        agentId,
        challenge,
        endpoint,
        address,
        iat: Math.floor(Date.now() / 1000),
      })
      return { proof: await author.jws(claims, PROOF_TYP) }
    }
    if (request.method !== 'POST') return {}
    const calls = JSON.parse(await text(request))
    const answer = ({ id, method, params }: { id: unknown; method: string; params: JsonObject }) => ({
      jsonrpc: '2.0',
      id,
      result: answers[method]?.(params) ?? {},
    })
    return Array.isArray(calls) ? calls.map(answer) : answer(calls)
  }

  const server = createServer((request, response) => {
    reply(request).then(
      (found) => response.setHeader('content-type', 'application/json').end(JSON.stringify(found)),
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    agentId,
    heard,
    join: async (at) => {
      const door = await invitedBy(at, name, { author, endpoint })
      doors.add(door)
      await door.call('cacp/sync/hello', { storeId: 'the-store-of-the-relay', bootId: 'its-only-boot' })
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The first has the id of the original. */
function tampered(statement: Statement, author: SigningAuthor): Statement[] {
  const { id, sig, ...said } = statement
  const body = { ...said.body, note: TAMPERED }
  const other = { ...said, body }
  return [
    { ...statement, body },
    { ...other, id: idOf(other), sig },
    author.signed(other),
    author.signed({ ...other, key: author.key }),
  ]
}
