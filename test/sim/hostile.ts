import type { Statement } from '../../src/domain/statements/statement.ts'
import { SYNC_FORMAT } from '../../src/methods/peers/replication.ts'
import { canonicalText } from '../../src/protocol/json/canonical.ts'
import type { Door, VirtualNetwork } from '../support/network/virtual-network.ts'
import type { Dice } from './dice.ts'
import { agentOf, originOf, repoOf, WILD } from './names.ts'
import type { SimDaemon } from './sim-daemon.ts'

/** Stands in everything that must never be taken. */
export const FORBIDDEN = 'MUST-NOT-BE-TAKEN'

type Wire = Record<string, unknown>

const FAR = '9999-12-31T23:59:59.999999Z'
const BAD_IDS = ['../../etc/passwd', '__proto__', 'constructor', '', 'a b', 'x'.repeat(200)]
const BAD_VERSIONS = [2 ** 53, '9', 1.5, -1, 0, 7, null, '1e999']

/** A registered peer that sends what no honest one would, and answers nonsense. */
export class Hostile {
  readonly #dice: Dice
  readonly #network: VirtualNetwork

  constructor(network: VirtualNetwork, dice: Dice) {
    this.#network = network
    this.#dice = dice
  }

  get acquaintance() {
    return { agentId: agentOf(WILD), endpoint: originOf(WILD), repoName: repoOf(WILD) }
  }

  listen(): void {
    this.#network.listen(originOf(WILD), this.#door)
  }

  /** A message of bad statements made of what the daemon holds. */
  attack(victim: SimDaemon): void {
    const open = [...victim.life.store.view.projects.oldestFirst()].filter(
      ({ project }) => project.visibility === 'all',
    )
    if (open.length === 0) return
    const said = [...this.#dice.pick(open).said]
    const statements = Array.from({ length: this.#dice.between(1, 6) }, () =>
      this.#malform(this.#dice.pick(said)),
    )
    const params = { statements: this.#dice.chance(0.9) ? statements : [5, null, FORBIDDEN] }
    const body = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'cacp/sync/statements', params }])
    this.#network
      .clientOf(originOf(WILD), () => true)
      .post(`${originOf(victim.name)}/`, body, 10_000)
      .catch(() => {})
  }

  #malform(statement: Statement): string {
    const dice = this.#dice
    const marked: Wire = {
      ...statement,
      content: { salt: 'AAAAAAAAAAAAAAAAAAAAAA', value: { tag: FORBIDDEN } },
    }
    const other = dice.pick<Wire>([
      { at: dice.pick([FAR, 'yesterday', 5]) },
      { about: dice.pick(BAD_IDS) },
      { id: dice.pick(BAD_IDS) },
      { body: { ...statement.body, version: dice.pick(BAD_VERSIONS) } },
      { body: { ...statement.body, deep: nested(200) } },
      { body: [FORBIDDEN] },
      { kind: FORBIDDEN },
      { key: FORBIDDEN },
      { sig: FORBIDDEN },
      { under: FORBIDDEN },
      { content: FORBIDDEN },
      { content_hash: FORBIDDEN },
    ])
    const written = { ...marked, ...other }
    // `1e999` cannot be written with JSON.stringify, and is Infinity to JSON.parse.
    const text = dice.chance(0.5) ? JSON.stringify(written) : canonicalText(written)
    return text.replaceAll('"version":"1e999"', '"version":1e999')
  }

  readonly #door: Door = async ({ path, body }) => {
    const dice = this.#dice
    const say = (value: unknown) => ({ status: 200, text: JSON.stringify(value) })
    if (path === '/.well-known/agent.json')
      return say({
        protocols: { cacp: dice.pick(['2.0', '2.0', '2.1', 5]) },
        extensions: {
          cacp: { agentId: agentOf(WILD), repo: repoOf(WILD) },
          cacpd: { syncFormat: SYNC_FORMAT },
        },
      })
    if (dice.chance(0.3))
      return { status: dice.pick([200, 200, 500]), text: dice.pick(['', 'null', '[', '{}', '[[]]', '5']) }
    const calls: unknown = body === '' ? [] : JSON.parse(body)
    if (!Array.isArray(calls)) return say({})
    return say(calls.map(({ id, method }: Wire) => ({ jsonrpc: '2.0', id, ...this.#answer(String(method)) })))
  }

  #answer(method: string): object {
    const dice = this.#dice
    const wrong = dice.pick([null, -1, 1e15, 'x', [], {}])
    const answers: Record<string, unknown> = {
      'cacp/peer/announce': {},
      'cacp/sync/hello': { storeId: dice.pick(['wild', 'wilder', wrong]), format: SYNC_FORMAT, now: FAR },
      'cacp/sync/statements': { outcomes: dice.pick([wrong, [{ status: 'taken' }], [wrong, wrong]]) },
      'cacp/sync/digest': {
        projects: dice.pick([wrong, [{ projectId: FORBIDDEN, digest: '00', count: 1e3 }, wrong]]),
      },
      'cacp/sync/buckets': { digests: dice.pick([wrong, ['00']]) },
      'cacp/sync/keys': { ids: dice.pick([wrong, [FORBIDDEN, '00'.repeat(32), wrong]]) },
      'cacp/sync/fetch': { statements: dice.pick([wrong, [FORBIDDEN, wrong, '{}']]) },
    }
    if (Object.hasOwn(answers, method)) return { result: answers[method] }
    return dice.pick([
      { result: { status: 'created' } },
      {
        result: {
          status: 'error',
          kind: dice.pick(['storage_full', 'unknown_project', 'invalid_params', 5]),
          reason: 7,
        },
      },
      { error: { code: -32000, message: 'no', data: { kind: 'internal' } } },
      {},
    ])
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
