import type { Change } from '../../src/domain/change.ts'
import type { Project } from '../../src/domain/model.ts'
import { handoverOf } from '../../src/methods/handover.ts'
import { SYNC_FORMAT } from '../../src/methods/replication.ts'
import type { Door, VirtualNetwork } from '../support/virtual-network.ts'
import type { Dice } from './dice.ts'
import { agentOf, originOf, repoOf, type SimDaemon } from './sim-daemon.ts'
import { stateOf } from './state.ts'

/** Stands in everything that must never be taken. */
export const FORBIDDEN = 'MUST-NOT-BE-TAKEN'
/** How the ids of copies begin that it passes off as new. */
export const FORGED = 'evil-'
export const HOSTILE = 'evil'

type Wire = Record<string, unknown>

const FAR = '9999-12-31T23:59:59.999999Z'
const BAD_IDS = ['../../etc/passwd', '__proto__', 'constructor', '', 'a b', 'x'.repeat(200)]
const BAD_VERSIONS = [2 ** 53, '9', 1.5, -1, 0, 7, null, '1e999']

/** A registered peer that sends what no honest one would, and answers nonsense. */
export class Hostile {
  readonly #dice: Dice
  readonly #network: VirtualNetwork
  #count = 0

  constructor(network: VirtualNetwork, dice: Dice) {
    this.#network = network
    this.#dice = dice
  }

  get registration() {
    return { agentId: agentOf(HOSTILE), endpoint: originOf(HOSTILE), repoName: repoOf(HOSTILE) }
  }

  listen(): void {
    this.#network.listen(originOf(HOSTILE), this.#door)
  }

  /** One batch of good and bad objects about what the daemon holds. */
  attack(victim: SimDaemon): void {
    const state = stateOf(victim.life.store)
    const changes = [...state.values()]
    const projects = changes.filter((change) => change.kind === 'project')
    if (projects.length === 0) return
    const project = this.#dice.pick(projects).value as Project
    if (project.visibility === 'members') return
    const parts = changes.filter((change) => change.project_id === project.project_id)
    const calls = Array.from({ length: this.#dice.between(1, 6) }, () =>
      this.#call(this.#dice.pick(parts), project),
    )
    // `1e999` cannot be written with JSON.stringify, and is Infinity to JSON.parse.
    const body = JSON.stringify(calls).replaceAll('"version":"1e999"', '"version":1e999')
    this.#network
      .clientOf(originOf(HOSTILE), () => true)
      .post(`${originOf(victim.name)}/`, body, 10_000)
      .catch(() => {})
  }

  #call(change: Change, project: Project): object {
    const { method, params } = handoverOf(change, project)
    const forged = structuredClone(params) as Wire
    const id = this.#count++
    const call = { jsonrpc: '2.0', id, method, params: forged }
    switch (change.kind) {
      case 'contract':
        this.#forgeContract(forged['contract'] as Wire)
        return call
      case 'packet':
        this.#forgePacket(forged['packet'] as Wire)
        return call
      case 'repo':
        this.#forgeRepo(forged['repo'] as Wire)
        return call
      case 'project':
        this.#forgeProject(forged['project'] as Wire)
        return call
      case 'receipt':
        this.#forgeReceipt(forged['receipt'] as Wire)
        return call
      default:
        return change satisfies never
    }
  }

  #forgeContract(contract: Wire): void {
    const dice = this.#dice
    contract['content'] = { tag: FORBIDDEN }
    const forgery = dice.pick(['version', 'time', 'id', 'depth', 'content'])
    if (forgery === 'version') contract['version'] = dice.pick(BAD_VERSIONS)
    if (forgery === 'time') contract['updated_at'] = FAR
    if (forgery === 'time') contract['head'] = { ...(contract['head'] as Wire), timestamp: FAR, base_at: FAR }
    if (forgery === 'id') contract['contract_id'] = dice.pick(BAD_IDS)
    if (forgery === 'depth') contract['content'] = { tag: FORBIDDEN, deep: nested(200) }
    if (forgery === 'content') contract['content'] = [FORBIDDEN]
    if (forgery === 'version' && contract['version'] === 7) contract['history'] = []
  }

  #forgePacket(packet: Wire): void {
    const dice = this.#dice
    const forgery = dice.pick(['time', 'id', 'type', 'reused', 'fresh'])
    // These two are well-formed: they are taken, and must not make anything else vanish.
    if (forgery === 'reused') packet['content'] = { reused: this.#count }
    if (forgery === 'fresh') packet['packet_id'] = `${FORGED}${this.#count}`
    if (forgery === 'reused' || forgery === 'fresh') {
      delete packet['redacted']
      return
    }
    packet['content'] = { tag: FORBIDDEN }
    if (forgery === 'time') packet['timestamp'] = dice.pick([FAR, 'yesterday', 5])
    if (forgery === 'id') packet['packet_id'] = dice.pick(BAD_IDS)
    if (forgery === 'type') packet['type'] = 'confession'
  }

  #forgeRepo(repo: Wire): void {
    const dice = this.#dice
    const claims = (repo['claims'] ?? []) as Wire[]
    const claim = (at: string, agent_id: string) => ({
      agent_id,
      claimed_at: at,
      released_at: null,
      agent_endpoint: null,
      endpoint_at: at,
    })
    const forgery = dice.pick(['future', 'past', 'id', 'role'])
    if (forgery === 'past') repo['claims'] = [...claims, claim('1970-01-01T00:00:00Z', agentOf(HOSTILE))]
    if (forgery === 'future') repo['claims'] = [...claims, claim(FAR, FORBIDDEN)]
    if (forgery === 'id') Object.assign(repo, { repo_id: dice.pick(BAD_IDS), role: FORBIDDEN })
    if (forgery === 'role') Object.assign(repo, { role: { [FORBIDDEN]: 1 } })
  }

  #forgeProject(project: Wire): void {
    const dice = this.#dice
    const forgery = dice.pick(['time', 'id', 'empty', 'parts'])
    if (forgery === 'time') Object.assign(project, { name: FORBIDDEN, stamps: undefined, updated_at: FAR })
    if (forgery === 'id') Object.assign(project, { name: FORBIDDEN, project_id: dice.pick(BAD_IDS) })
    // Newer than ours, and without parts: nothing may vanish.
    if (forgery === 'empty') Object.assign(project, { repos: [], contracts: [], context_history: [] })
    if (forgery === 'parts') project['contracts'] = [{ contract_id: 'x', name: FORBIDDEN }, null, 5]
  }

  #forgeReceipt(receipt: Wire): void {
    const dice = this.#dice
    const seen = receipt['seen'] as Wire[]
    const forgery = dice.pick(['future', 'key', 'many', 'repo'])
    if (forgery === 'future')
      receipt['seen'] = [...seen, { key: `packet ${FORBIDDEN}`, of: FAR, parts: 1, at: FAR }]
    if (forgery === 'key') receipt['seen'] = [{ ...seen[0], key: `packet ../${FORBIDDEN}` }]
    if (forgery === 'many')
      receipt['seen'] = Array.from({ length: 2001 }, () => ({ ...seen[0], key: `packet ${FORBIDDEN}` }))
    if (forgery === 'repo') Object.assign(receipt, { repo_id: FORBIDDEN })
  }

  readonly #door: Door = async ({ path, body }) => {
    const dice = this.#dice
    const say = (value: unknown) => ({ status: 200, text: JSON.stringify(value) })
    if (path === '/.well-known/agent.json')
      return say({
        protocols: { cacp: dice.pick(['2.0', '2.0', '2.1', 5]) },
        extensions: {
          cacp: { agentId: agentOf(HOSTILE), repo: repoOf(HOSTILE) },
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
    const call = {
      method: dice.pick(['cacp/project/archive', 'cacp/contract/sync', 'x']),
      params: { projectId: FORBIDDEN },
    }
    const answers: Record<string, unknown> = {
      'cacp/peer/announce': {},
      'cacp/sync/hello': {
        storeId: 'evil',
        received: dice.pick([0, 1e15, wrong]),
        format: SYNC_FORMAT,
        now: FAR,
      },
      'cacp/sync/mark': dice.pick([{ status: 'noted' }, wrong]),
      'cacp/sync/digest': {
        projects: dice.pick([wrong, [{ projectId: FORBIDDEN, digest: '00', count: 1e3 }, wrong]]),
      },
      'cacp/sync/buckets': { digests: dice.pick([wrong, ['00']]) },
      'cacp/sync/keys': {
        keys: dice.pick([wrong, [['contract', '../x', '00'], ['project', FORBIDDEN, 'ff'], wrong]]),
      },
      'cacp/sync/fetch': { calls: dice.pick([wrong, [call, wrong, call]]) },
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
