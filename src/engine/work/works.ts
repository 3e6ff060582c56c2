import type { Self } from '../../domain/env.ts'
import type { Works } from '../../methods/runs/service.ts'
import { Assembly } from '../../protocol/chiffon/assembly.ts'
import type { Envelope } from '../../protocol/chiffon/envelope.ts'
import {
  isHeartbeat,
  readError,
  readHeartbeat,
  readWorkResult,
  readWorkStatus,
} from '../../protocol/chiffon/payloads.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { Fault } from '../../protocol/fault.ts'
import { isOver, type Work } from '../../protocol/work.ts'
import type { Dispatch } from '../dispatch/dispatch.ts'
import type { AgentWire, WorkFiles } from '../ports/work-ports.ts'
import { waitAmong } from '../timing/wait-until.ts'
import { contractNamed, packetFor } from './contract-of-work.ts'
import { createDelegation, type Delegation } from './delegation.ts'
import { endingOf } from './endings.ts'
import { createKnownAgents, type KnownAgentsDeps } from './known-agents.ts'
import { assertAbout, newWork, refusedByBreaker } from './new-work.ts'

export interface WorkDeskDeps extends KnownAgentsDeps {
  readonly self: Self
  readonly files: WorkFiles
  readonly wire: AgentWire
  readonly dispatch: Dispatch
  /** Called when there is something new about work. */
  readonly changed?: ((workId: string) => void) | undefined
  /** Logs failures that do not concern the work itself. */
  readonly report: (error: unknown) => void
}

export interface WorkDesk extends Works, AsyncDisposable {
  /** Loads stored work; what had not ended when the daemon stopped is followed again. */
  open(): Promise<void>
}

/** Delegates work to the agents of other repositories, follows it and stores it. */
export function createWorkDesk(deps: WorkDeskDeps): WorkDesk {
  const { self, store, files, clock, timers, rules, dispatch, report } = deps
  const agents = createKnownAgents(deps)
  /** Oldest first. */
  const works = new Map<string, Work>()
  const underWay = new Map<string, { delegation: Delegation; done: Promise<void> }>()
  const waiting = new Map<string, Set<() => void>>()

  return {
    async open() {
      for (const work of await files.load()) {
        works.set(work.work_id, work)
        if (!isOver(work)) follow(work)
        else if (isRecorded(work) && work.packet_id === null) record(work).catch(report)
      }
      forgetOld()
    },

    async send(order, caller) {
      if (underWay.size >= rules.atOnce)
        throw new Fault('busy', `${rules.atOnce} works are under way already, which is the most at once`, {
          next: 'Try again in a while, or cancel some of them',
        })
      const peer = agents.named(order.peer)
      const contract =
        order.contractId === undefined ? null : contractNamed(store.view, order.contractId, caller)
      const work = newWork(order, { peer, contract, clock, askedBy: caller.agentId })
      if (!(await agents.breakerOf(peer.agent_id).admits())) {
        const refused = refusedByBreaker(work, clock.now(), agents.lastHeard(peer.agent_id))
        await files.save(refused)
        show(refused)
        return refused
      }
      await files.save(work)
      show(work)
      follow(work)
      return get(work.work_id)
    },

    get,

    async wait(workId, { after, millis }) {
      const isNews = (work: Work) => work.updates > after || isOver(work)
      if (isNews(get(workId)) || millis === 0) return get(workId)
      const others = getOrAdd(waiting, workId, () => new Set())
      await waitAmong(others, { timers, millis })
      return get(workId)
    },

    list: ({ status, limit }) =>
      [...works.values()]
        .reverse()
        .filter((work) => status === undefined || work.status === status)
        .slice(0, limit),

    async cancel(workId) {
      const work = get(workId)
      const canceled = await underWay.get(workId)?.delegation.cancel()
      if (canceled === undefined) return work
      if (canceled.status === 'canceled') await agents.cancelRun(work).catch(report)
      return get(workId)
    },

    async receive(envelope, caller) {
      assertReadable(envelope)
      agents.hear(caller.agentId)
      for (const work of works.values()) {
        if (work.request_id !== envelope.request_id || work.agent_id !== caller.agentId) continue
        const following = underWay.get(work.work_id)
        if (following !== undefined) await following.delegation.receive(envelope)
        else if (envelope.type === 'work_result') await takeLate(work, envelope)
      }
    },

    lastHeartbeat: agents.lastHeard,

    async [Symbol.asyncDispose]() {
      agents.stop()
      for (const all of waiting.values()) for (const done of [...all]) done()
      const following = [...underWay.values()]
      for (const { delegation } of following) delegation.stop()
      await Promise.all(following.map(({ done }) => done))
    },
  }

  function get(workId: string): Work {
    const work = works.get(workId)
    if (work !== undefined) return work
    throw new Fault('not_found', `No work ${workId.slice(0, 100)} was sent from here`, {
      next: 'List the works with cacp/work/list',
      data: { workId: workId.slice(0, 100), call: { method: 'cacp/work/list', params: {} } },
    })
  }

  function follow(work: Work): void {
    const { work_id: workId } = work
    const delegation = createDelegation({ ...deps, agents, changed: show, ended: keep }, work)
    const done = delegation
      .run()
      .catch(report)
      .finally(() => {
        underWay.delete(workId)
        waiting.delete(workId)
        forgetOld()
      })
    underWay.set(workId, { delegation, done })
  }

  /** Stores the work first and records it on its contract; only after that others see that it has ended. */
  async function keep(work: Work): Promise<Work> {
    try {
      await files.save(work)
      return isRecorded(work) ? await record(work) : work
    } catch (error) {
      // A disk that cannot be written does not undo the work: the next start asks the agent again.
      report(error)
      return work
    }
  }

  async function record(work: Work): Promise<Work> {
    const { contract, asked_by: agentId } = work
    if (contract === null) return work
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
      if (works.has(work.work_id)) works.set(work.work_id, recorded)
      return recorded
    } catch (error) {
      report(error)
      return work
    }
  }

  /** Takes in a result for work that had already failed because the agent could not be reached. */
  async function takeLate(work: Work, envelope: Envelope): Promise<void> {
    assertAbout(work, envelope)
    if (work.status !== 'failed' || work.error?.retryable !== true) return
    const { outcome, status, incomplete } = endingOf(readWorkResult(envelope.payload), new Assembly())
    if (incomplete !== undefined) return
    const ended_at = clock.now()
    show(await keep({ ...work, status, result: outcome, error: null, ended_at, packet_id: null }))
  }

  function show(work: Work): void {
    works.set(work.work_id, work)
    deps.changed?.(work.work_id)
    for (const done of [...(waiting.get(work.work_id) ?? [])]) done()
  }

  function forgetOld(): void {
    const over = [...works.values()].filter(isOver).reverse()
    let length = 0
    const tooMany = over.filter(({ result }, index) => {
      length += result?.output.length ?? 0
      // The newest stays however long its output is, because somebody wants to read it.
      return index > 0 && (index >= rules.kept || length > rules.keptLength)
    })
    for (const { work_id } of tooMany) {
      works.delete(work_id)
      files.remove(work_id).catch(report)
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
