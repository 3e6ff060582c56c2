import type { Caller, Self } from '../../domain/env.ts'
import type { WorkOrder } from '../../methods/runs/work.ts'
import type { Works } from '../../methods/runs/work-service.ts'
import { Assembly } from '../../protocol/chiffon/assembly.ts'
import type { Envelope } from '../../protocol/chiffon/envelope.ts'
import {
  isHeartbeat,
  readError,
  readHeartbeat,
  readWorkResult,
  readWorkStatus,
} from '../../protocol/chiffon/payloads.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { isOver, type Work, type WorkStatusWord } from '../../protocol/work.ts'
import type { Dispatch } from '../dispatch/dispatch.ts'
import type { AgentWire, WorkFiles } from '../ports/work-ports.ts'
import { cancelRemote } from './cancel-remote.ts'
import { contractNamed, packetFor } from './contract-of-work.ts'
import { Delegation } from './delegation.ts'
import { endingOf } from './endings.ts'
import { KnownAgents, type KnownAgentsDeps } from './known-agents.ts'
import { newWork, refusedByBreaker } from './new-work.ts'
import { assertAbout } from './same-work.ts'

export interface WorkDeskDeps extends KnownAgentsDeps {
  readonly self: Self
  readonly files: WorkFiles
  readonly wire: AgentWire
  readonly dispatch: Dispatch
  /** Logs failures that do not concern the work itself. */
  readonly report: (error: unknown) => void
}

/** Delegates work to the agents of other repositories, follows it and stores it. */
export class WorkDesk implements Works, AsyncDisposable {
  readonly #deps: WorkDeskDeps
  /** Oldest first. */
  readonly #works = new Map<string, Work>()
  readonly #underWay = new Map<string, { delegation: Delegation; done: Promise<void> }>()
  readonly #agents: KnownAgents
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(deps: WorkDeskDeps) {
    this.#deps = deps
    this.#agents = new KnownAgents(deps)
  }

  /** Loads stored work; what had not ended when the daemon stopped is followed again. */
  async open(): Promise<this> {
    for (const work of await this.#deps.files.load()) {
      this.#works.set(work.work_id, work)
      if (!isOver(work)) this.#follow(work)
      else if (isRecorded(work) && work.packet_id === null) this.#record(work).catch(this.#deps.report)
    }
    this.#forgetOld()
    return this
  }

  async send(order: WorkOrder, caller: Caller): Promise<Work> {
    const { store, files, clock, rules } = this.#deps
    if (this.#underWay.size >= rules.atOnce)
      throw new Fault('busy', `${rules.atOnce} works are under way already, which is the most at once`, {
        next: 'Try again in a while, or cancel some of them',
      })
    const peer = this.#agents.named(order.peer)
    const contract =
      order.contractId === undefined ? null : contractNamed(store.view, order.contractId, caller)
    const work = newWork(order, { peer, contract, clock, askedBy: caller.agentId })
    if (!(await this.#agents.breakerOf(peer.agent_id).admits())) {
      const refused = refusedByBreaker(work, clock.now(), this.lastHeartbeat(peer.agent_id))
      await files.save(refused)
      this.#show(refused)
      return refused
    }
    await files.save(work)
    this.#works.set(work.work_id, work)
    this.#follow(work)
    return this.get(work.work_id)
  }

  get(workId: string): Work {
    const work = this.#works.get(workId)
    if (work !== undefined) return work
    throw new Fault('not_found', `No work ${workId.slice(0, 100)} was sent from here`, {
      next: 'List the works with cacp/work/list',
      data: { workId: workId.slice(0, 100), call: { method: 'cacp/work/list', params: {} } },
    })
  }

  async wait(workId: string, { after, millis }: { after: number; millis: number }): Promise<Work> {
    const isNews = (work: Work) => work.updates > after || isOver(work)
    if (isNews(this.get(workId)) || millis === 0) return this.get(workId)
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(workId) ?? new Set()
      this.#waiting.set(workId, waiting.add(done))
      const cancel = this.#deps.timers.after(millis, done)
      function done() {
        cancel()
        waiting.delete(done)
        resolve()
      }
    })
    return this.get(workId)
  }

  list({ status, limit }: { status?: WorkStatusWord | undefined; limit: number }): readonly Work[] {
    return [...this.#works.values()]
      .reverse()
      .filter((work) => status === undefined || work.status === status)
      .slice(0, limit)
  }

  async cancel(workId: string): Promise<Work> {
    const work = this.get(workId)
    const underWay = this.#underWay.get(workId)
    if (underWay === undefined) return work
    const canceled = await underWay.delegation.cancel()
    const { client, rules } = this.#deps
    const endpoint = this.#agents.endpointOf(work.agent_id)
    if (canceled.status === 'canceled' && endpoint !== undefined)
      await cancelRemote(client, endpoint, work, rules.probeMillis).catch(this.#deps.report)
    return this.get(workId)
  }

  async receive(envelope: Envelope, caller: Caller): Promise<void> {
    assertReadable(envelope)
    this.#agents.hear(caller.agentId)
    for (const work of this.#works.values()) {
      if (work.request_id !== envelope.request_id || work.agent_id !== caller.agentId) continue
      const underWay = this.#underWay.get(work.work_id)
      if (underWay !== undefined) await underWay.delegation.receive(envelope)
      else if (envelope.type === 'work_result') await this.#takeLate(work, envelope)
    }
  }

  lastHeartbeat(agentId: string): Stamp | null {
    return this.#agents.lastHeard(agentId)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agents.stop()
    for (const waiting of this.#waiting.values()) for (const done of [...waiting]) done()
    const underWay = [...this.#underWay.values()]
    for (const { delegation } of underWay) delegation.stop()
    await Promise.all(underWay.map(({ done }) => done))
  }

  #follow(work: Work): void {
    const { work_id: workId } = work
    const delegation = new Delegation(
      {
        ...this.#deps,
        agents: this.#agents,
        changed: (changed) => this.#show(changed),
        ended: (ended) => this.#keep(ended),
      },
      work,
    )
    const done = delegation
      .run()
      .catch(this.#deps.report)
      .finally(() => {
        this.#underWay.delete(workId)
        this.#waiting.delete(workId)
        this.#forgetOld()
      })
    this.#underWay.set(workId, { delegation, done })
  }

  /** Stores the work first and records it on its contract; only after that others see that it has ended. */
  async #keep(work: Work): Promise<Work> {
    try {
      await this.#deps.files.save(work)
      return isRecorded(work) ? await this.#record(work) : work
    } catch (error) {
      // A disk that cannot be written does not undo the work: the next start asks the agent again.
      this.#deps.report(error)
      return work
    }
  }

  async #record(work: Work): Promise<Work> {
    const { contract, asked_by: agentId } = work
    if (contract === null) return work
    const { dispatch, files, self, report } = this.#deps
    try {
      const { packetId } = (await dispatch({
        method: 'cacp/context/share',
        params: packetFor(work, contract),
        caller: { kind: 'operator', agentId, repoName: agentId === self.agentId ? self.repo : null },
        // One packet for each end, however often this runs; a result that comes late is another end.
        idempotencyKey: `work:${work.work_id}:${work.ended_at}`,
      })) as { packetId: string }
      const recorded = { ...work, packet_id: packetId }
      await files.save(recorded)
      if (this.#works.has(work.work_id)) this.#works.set(work.work_id, recorded)
      return recorded
    } catch (error) {
      report(error)
      return work
    }
  }

  /** Takes in a result for work that had already failed because the agent could not be reached. */
  async #takeLate(work: Work, envelope: Envelope): Promise<void> {
    assertAbout(work, envelope)
    if (work.status !== 'failed' || work.error?.retryable !== true) return
    const { outcome, status, incomplete } = endingOf(readWorkResult(envelope.payload), new Assembly())
    if (incomplete !== undefined) return
    const ended_at = this.#deps.clock.now()
    const late: Work = { ...work, status, result: outcome, error: null, ended_at, packet_id: null }
    this.#show(await this.#keep(late))
  }

  #show(work: Work): void {
    this.#works.set(work.work_id, work)
    for (const done of [...(this.#waiting.get(work.work_id) ?? [])]) done()
  }

  #forgetOld(): void {
    const { kept, keptLength } = this.#deps.rules
    const over = [...this.#works.values()].filter(isOver).reverse()
    let length = 0
    const tooMany = over.filter(({ result }, index) => {
      length += result?.output.length ?? 0
      // The newest stays however long its output is, because somebody wants to read it.
      return index > 0 && (index >= kept || length > keptLength)
    })
    for (const { work_id } of tooMany) {
      this.#works.delete(work_id)
      this.#deps.files.remove(work_id).catch(this.#deps.report)
    }
  }
}

/** Work that was canceled here has no result to record. */
const isRecorded = ({ contract, status, result }: Work): boolean =>
  contract !== null && (status !== 'canceled' || result !== null)

/** Validates messages also for work that nobody waits for any more. */
function assertReadable({ type, payload }: Envelope): void {
  if (type === 'work_result') readWorkResult(payload)
  else if (type === 'error') readError(payload)
  else if (isHeartbeat(payload)) readHeartbeat(payload)
  else readWorkStatus(payload)
}
