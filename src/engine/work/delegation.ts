import { Assembly } from '../../protocol/chiffon/assembly.ts'
import { CHIFFON_PATH, readEnvelope, wrap } from '../../protocol/chiffon/envelope.ts'
import { countsAsAbsent } from '../../protocol/chiffon/errors.ts'
import { isHeartbeat, readError, readWorkResult, readWorkStatus } from '../../protocol/chiffon/payloads.ts'
import { CHIFFON_VERSIONS } from '../../protocol/chiffon/versions.ts'
import { Fault } from '../../protocol/fault.ts'
import { findUnstorable, type JsonObject } from '../../protocol/json/json.ts'
import { isOver, type Work } from '../../protocol/work.ts'
import { sleep } from '../timing/wait-until.ts'
import { createWorkAttempt, type MessageMeaning, type WorkAttempt } from './attempt.ts'
import {
  type Ending,
  endingOf,
  endingOfBadMessage,
  errorEnding,
  failure,
  incompleteOutput,
} from './endings.ts'
import { type AgentProtocol, DEFAULT_PROTOCOL, type KnownAgents } from './known-agents.ts'
import { assertAbout } from './new-work.ts'
import type { WorkDeskDeps } from './works.ts'

const SHOWN_STEP_LENGTH = 2000

export interface DelegationDeps extends Pick<WorkDeskDeps, 'wire' | 'clock' | 'timers' | 'rules'> {
  readonly agents: Pick<KnownAgents, 'breakerOf' | 'endpointOf' | 'protocolOf' | 'hear' | 'lastHeard'>
  /** Called when the work has changed. */
  readonly changed: (work: Work) => void
  /** Called with the last change, which must be stored before the work counts as ended. */
  readonly ended: (work: Work) => Promise<Work>
}

export type Delegation = ReturnType<typeof createDelegation>

/** One piece of delegated work: sends it, follows it, tries again where that may help, and ends it. */
export function createDelegation(deps: DelegationDeps, given: Work) {
  const { wire, clock, timers, rules, agents, changed, ended } = deps
  const { agent_id: agentId, hints } = given
  const stopped = new AbortController()
  const { signal } = stopped
  let assembly = new Assembly()
  let running: WorkAttempt | undefined
  let work = given
  /** Undefined until the card of the agent could be read. */
  let protocol: AgentProtocol | undefined
  let mostHeard = 0
  let ending: Promise<Work> | undefined

  return {
    get work() {
      return work
    },
    run,
    receive,
    /** Ends the work; later messages are ignored. */
    cancel(): Promise<Work> {
      stopped.abort()
      ending ??= close({ status: 'canceled' })
      return ending
    },
    /** Leaves the work unfinished; the next start of the daemon goes on with it. */
    stop: () => stopped.abort(),
  }

  /** Goes on until the work has ended or `stop` is called. Never throws. */
  async function run(): Promise<void> {
    const breaker = agents.breakerOf(agentId)
    let last: Ending = failure(5002, 'It was not sent', {})
    for (let attempt = 0; attempt < rules.retryMillis.length; attempt++) {
      const millis = rules.retryMillis[attempt] ?? 0
      if (millis > 0) await sleep(timers, millis, signal)
      if (isDone()) return
      const { isFurther, ...tried } = await tryOnce()
      if (isDone()) return
      last = tried.ending
      if (isFurther) breaker.succeed()
      if (last.error !== undefined) {
        if (countsAsAbsent(last.error.code)) breaker.fail()
        if (!last.error.retryable) break
      } else {
        breaker.succeed()
        // The missing parts of a long output may come when the agent is asked once more.
        if (last.incomplete === undefined) break
      }
      // The agent had made progress and the connection broke: that does not count as a failed attempt to send. An
      // agent that reports a timeout, or falls silent, has failed.
      if (isFurther && last.error?.code === 5002) attempt = -1
    }
    await end(last)
  }

  /** Takes in a message that the agent sent on its own, not as an answer to our request. */
  async function receive(message: unknown): Promise<void> {
    if (isDone()) return
    const taken = await takeUnasked(message)
    const told = typeof taken === 'string' ? undefined : taken
    running?.hear(told)
    // An outcome that another attempt may improve is left to the attempt that is running.
    if (told === undefined || told.incomplete !== undefined || told.error?.retryable === true) return
    if (told.outcome !== undefined) agents.breakerOf(agentId).succeed()
    await end(told)
  }

  function isDone(): boolean {
    return signal.aborted || ending !== undefined
  }

  async function tryOnce(): Promise<{ ending: Ending; isFurther: boolean }> {
    // Chunks that contradict each other may come from two attempts at the work.
    if (assembly.problem !== undefined) assembly = new Assembly()
    const url = agents.endpointOf(agentId)
    if (url === undefined)
      return { ending: failure(5003, `${agentId} is no peer of this daemon any more`, {}), isFurther: false }
    protocol ??= await agents.protocolOf(agentId)
    const { version, agentType } = protocol ?? DEFAULT_PROTOCOL
    if (version === undefined) return { ending: noCommonVersion(work.work_type), isFurther: false }
    if (isDone()) return { ending: failure(5002, 'It was stopped', {}), isFurther: false }
    set({ sends: work.sends + 1, last_attempt: clock.now(), protocol_version: version })
    running = createWorkAttempt({
      wire,
      timers,
      url: url + CHIFFON_PATH,
      agentId,
      body: JSON.stringify(requestOf(version, agentType)),
      silenceMillis: Math.max(rules.silenceMillis, (hints.max_duration_seconds ?? 0) * 1000),
      signal,
      take,
    })
    const { heard, ...tried } = await running.run()
    const isFurther = heard > Math.max(mostHeard, 1)
    mostHeard = Math.max(mostHeard, heard)
    return { ...tried, isFurther }
  }

  function requestOf(version: string, agentType: AgentProtocol['agentType']) {
    const { work_id, work_type, parameters, trace_id, request_id, custom_fields } = work
    const payload: JsonObject = { task_id: work_id, work_type, parameters, hints: { ...hints } }
    return wrap(
      { type: 'work_request', payload },
      {
        protocol_version: version,
        message_id: clock.newId(),
        timestamp: clock.now(),
        from_agent: 'orchestrator',
        to_agent: agentType,
        trace_id,
        request_id,
        x_custom_fields: custom_fields,
      },
    )
  }

  function take(message: unknown): MessageMeaning {
    const unstorable = findUnstorable(message)
    if (unstorable !== undefined) throw new Fault('invalid_params', unstorable)
    const envelope = readEnvelope(message)
    const { type, payload } = envelope
    agents.hear(agentId)
    // An error can be the answer to a message that could not be read, and then names no request.
    if (type === 'error') return errorEnding(readError(payload))
    if (type === 'work_status' && isHeartbeat(payload)) return 'alive'
    assertAbout(work, envelope)
    if (type === 'work_result') return endingOf(readWorkResult(payload), assembly)
    takeStatus(payload)
    return 'working'
  }

  /** An output that is too long ends the work, because no other message could deliver it. */
  async function takeUnasked(message: unknown): Promise<MessageMeaning> {
    try {
      return take(message)
    } catch (error) {
      const fault = Fault.from(error)
      if (fault.kind === 'too_large') await end(endingOfBadMessage(fault))
      throw fault
    }
  }

  function takeStatus(payload: JsonObject): void {
    const { status, progress_percent, step } = readWorkStatus(payload)
    if (step.output_chunk !== undefined) assembly.add(step.output_chunk, step.output)
    const { number, name, output } = step
    set({
      status: 'running',
      progress: Math.max(work.progress, progress_percent),
      step: {
        number,
        name: name.slice(0, 200),
        status,
        output: output.slice(-SHOWN_STEP_LENGTH).toWellFormed(),
      },
    })
  }

  async function end({ outcome, error, incomplete, ...about }: Ending): Promise<void> {
    if (ending !== undefined) return
    ending =
      outcome === undefined
        ? close({ status: 'failed', error: withContext(error) })
        : close({
            ...about,
            progress: outcome.is_success ? 100 : work.progress,
            result: outcome,
            error: incomplete === undefined ? null : incompleteOutput(incomplete),
          })
    stopped.abort()
    await ending
  }

  async function close(part: Partial<Work>): Promise<Work> {
    set(await ended({ ...work, ...part, ended_at: clock.now() }))
    return work
  }

  /** Adds the context that the document requires for failures that only the sender can observe. */
  function withContext(error: NonNullable<Ending['error']>): NonNullable<Ending['error']> {
    const { sends, last_attempt } = work
    const { context } = error
    if (error.code === 5001)
      return { ...error, context: { ...context, attempted_retries: Math.max(sends - 1, 0), last_attempt } }
    if (error.code === 5002 && (context['last_heartbeat'] ?? null) === null)
      return { ...error, context: { ...context, last_heartbeat: agents.lastHeard(agentId) } }
    return error
  }

  function set(part: Partial<Work>): void {
    work = { ...work, ...part, updates: work.updates + 1 }
    if (!isOver(work) || part.ended_at !== undefined) changed(work)
  }
}

const noCommonVersion = (workType: string): Ending =>
  failure(5006, `The agent does not speak version ${CHIFFON_VERSIONS.join(' or ')} of the protocol`, {
    work_type_requested: workType,
    supported_types: [],
    supported_versions: CHIFFON_VERSIONS,
  })
