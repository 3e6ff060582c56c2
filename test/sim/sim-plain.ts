import type { Door, VirtualNetwork } from '../support/network/virtual-network.ts'
import { PlainPeer } from '../support/plain-peer/plain-peer.ts'
import type { VirtualTime } from '../support/simulated/virtual-time.ts'
import type { Dice } from './dice.ts'
import { agentOf, originOf, PLAIN, repoOf, START } from './names.ts'

export interface SimPlainDeps {
  readonly time: VirtualTime
  readonly network: VirtualNetwork
  readonly dice: Dice
  readonly newId: () => string
  readonly trace: (line: string) => void
}

/** The reference implementation in the simulation: it promises nothing, and must not harm those who do. */
export class SimPlain {
  readonly peer: PlainPeer
  /** Seconds that its clock is wrong by. */
  clockOffset = 0
  readonly #deps: SimPlainDeps
  #isUp = true

  constructor(deps: SimPlainDeps) {
    const { time, network, newId } = deps
    this.#deps = deps
    const client = network.clientOf(originOf(PLAIN), () => this.#isUp)
    this.peer = new PlainPeer({
      agentId: agentOf(PLAIN),
      repoName: repoOf(PLAIN),
      endpoint: originOf(PLAIN),
      clock: () => START + time.now + this.clockOffset * 1000,
      newId,
      send: async (endpoint, body) =>
        JSON.parse(await client.post(`${endpoint}/`, JSON.stringify(body), 10_000)),
    })
  }

  get registration() {
    return { agentId: agentOf(PLAIN), endpoint: originOf(PLAIN), repoName: repoOf(PLAIN) }
  }

  /** The process comes back, with its state and without its peers. */
  start(): void {
    if (!this.#isUp) this.peer.restart()
    this.#isUp = true
    this.#deps.network.listen(originOf(PLAIN), this.#door)
  }

  stop(): void {
    this.#deps.trace(`${PLAIN} is down`)
    this.#isUp = false
    this.#deps.network.listen(originOf(PLAIN), undefined)
    this.#deps.time.after(this.#deps.dice.between(1000, 60_000), () => this.start())
  }

  /** Its agent does something with what it holds. */
  operate(tag: string): void {
    if (!this.#isUp) return
    const { dice, trace } = this.#deps
    const [method, params] = this.#draw(tag)
    trace(`${PLAIN} ${tag} ${method} ${JSON.stringify(params)}`)
    this.peer.call(`cacp/${method}`, params).catch((error: unknown) => trace(`${PLAIN} ${tag} ${error}`))
    if (dice.chance(0.1)) this.stop()
  }

  #draw(tag: string): [string, object] {
    const { dice } = this.#deps
    const projects = this.peer.snapshot()
    const repo = { name: repoOf(PLAIN), role: 'backend', language: 'python' }
    if (projects.length === 0) return ['project/create', { name: `P ${tag}`, objective: tag, repos: [repo] }]
    const project = dice.pick(projects)
    const { project_id: projectId, contracts } = project
    const own = project.repos.find(({ name }) => name === repo.name)
    if (own !== undefined && own.assigned_agent === null && dice.chance(0.5))
      return ['project/join', { projectId, repoName: repo.name }]
    if (contracts.length === 0 || dice.chance(0.2))
      return dice.chance(0.5)
        ? ['contract/propose', { projectId, type: 'custom', name: `C ${tag}`, content: { tag } }]
        : ['context/share', { projectId, type: 'code_snippet', content: { tag } }]
    const { contract_id: contractId } = dice.pick(contracts)
    const target = { projectId, contractId }
    return dice.pick<[string, object]>([
      [
        'contract/respond',
        { ...target, action: dice.pick(['agree', 'request_change', 'reject']), comment: tag },
      ],
      ['contract/update', { ...target, content: { tag }, changeNotes: tag }],
      ['implementation/start', { ...target, plan: tag }],
      ['implementation/complete', { ...target, files: ['a.py'], notes: tag }],
    ])
  }

  readonly #door: Door = async ({ verb, path, body }) => {
    const given: unknown = body === '' ? undefined : JSON.parse(body)
    const { status, body: said } = await this.peer.handleHttp(verb, path, given)
    return { status, text: JSON.stringify(said) }
  }
}
