import { Assembly } from '../../protocol/chiffon/assembly.ts'
import { CHIFFON_PATH, readEnvelope, wrap } from '../../protocol/chiffon/envelope.ts'
import { countsAsAbsent } from '../../protocol/chiffon/errors.ts'
import { isHeartbeat, readError, readWorkResult, readWorkStatus } from '../../protocol/chiffon/payloads.ts'
import { CHIFFON_VERSIONS } from '../../protocol/chiffon/versions.ts'
import { Fault } from '../../protocol/fault.ts'
import { findUnstorable, type JsonObject } from '../../protocol/json/json.ts'
import { isOver, type Work } from '../../protocol/work.ts'
import type { Clock, Timers } from '../ports/ports.ts'
import type { AgentWire } from '../ports/work-ports.ts'
import { sleep } from '../timing/sleep.ts'
import { type AgentProtocol, DEFAULT_PROTOCOL } from './agent-protocol.ts'
import { type MessageMeaning, WorkAttempt } from './attempt.ts'
import {
  type Ending,
  endingOf,
  endingOfBadMessage,
  errorEnding,
  failure,
  incompleteOutput,
  unavailable,
} from './endings.ts'
import type { KnownAgents } from './known-agents.ts'
import type { WorkRules } from './rules.ts'
import { assertAbout } from './same-work.ts'

/** How many characters of a step's output are kept to be displayed. */
const STEP_OUTPUT = 2000

export interface DelegationDeps {
  readonly wire: AgentWire
  readonly clock: Clock
  readonly timers: Timers
  readonly rules: WorkRules
  readonly agents: Pick<KnownAgents, 'breakerOf' | 'endpointOf' | 'protocolOf' | 'hear' | 'lastHeard'>
  /** Called when the work has changed. */
  readonly changed: (work: Work) => void
  /** Called with the last change, which must be stored before the work counts as ended. */
  readonly ended: (work: Work) => Promise<Work>
}

/** One piece of delegated work: sends it, follows it, tries again where that may help, and ends it. */
export class Delegation {
  readonly #deps: DelegationDeps
  readonly #stopped = new AbortController()
  #assembly = new Assembly()
  #running: WorkAttempt | undefined
  #work: Work
  /** Undefined until the card of the agent could be read. */
  #protocol: AgentProtocol | undefined
  #mostHeard = 0
  #ending: Promise<Work> | undefined

  constructor(deps: DelegationDeps, work: Work) {
    this.#deps = deps
    this.#work = work
  }

  get work(): Work {
    return this.#work
  }

  /** Goes on until the work has ended or `stop` is called. Never throws. */
  async run(): Promise<void> {
    const { rules, timers, agents } = this.#deps
    const breaker = agents.breakerOf(this.#work.agent_id)
    let last: Ending = unavailable('It was not sent', {})
    for (let attempt = 0; attempt < rules.retryMillis.length; attempt++) {
      const millis = rules.retryMillis[attempt] ?? 0
      if (millis > 0) await sleep(timers, millis, this.#stopped.signal)
      if (this.#isDone) return
      const { ending, isFurther } = await this.#attempt()
      if (this.#isDone) return
      last = ending
      if (isFurther) breaker.succeed()
      if (ending.error !== undefined) {
        if (countsAsAbsent(ending.error.code)) breaker.fail()
        if (!ending.error.retryable) break
      } else {
        breaker.succeed()
        // The missing parts of a long output may come when the agent is asked once more.
        if (ending.incomplete === undefined) break
      }
      // The agent had made progress and the connection broke: that does not count as a failed attempt to send. An
      // agent that reports a timeout, or falls silent, has failed.
      if (isFurther && ending.error?.code === 5002) attempt = -1
    }
    await this.#end(last)
  }

  /** Takes in a message that the agent sent on its own, not as an answer to our request. */
  async receive(message: unknown): Promise<void> {
    if (this.#stopped.signal.aborted || this.#ending !== undefined) return
    const taken = await this.#takeUnasked(message)
    const ending = typeof taken === 'string' ? undefined : taken
    this.#running?.hear(ending)
    // An outcome that another attempt may improve is left to the attempt that is running.
    if (ending === undefined || ending.incomplete !== undefined || ending.error?.retryable === true) return
    if (ending.outcome !== undefined) this.#deps.agents.breakerOf(this.#work.agent_id).succeed()
    await this.#end(ending)
  }

  /** Ends the work; later messages are ignored. */
  cancel(): Promise<Work> {
    this.#stopped.abort()
    this.#ending ??= this.#close({ status: 'canceled' })
    return this.#ending
  }

  /** Leaves the work unfinished; the next start of the daemon goes on with it. */
  stop(): void {
    this.#stopped.abort()
  }

  get #isDone(): boolean {
    return this.#stopped.signal.aborted || this.#ending !== undefined
  }

  async #attempt(): Promise<{ ending: Ending; isFurther: boolean }> {
    const { wire, timers, rules, agents, clock } = this.#deps
    // Chunks that contradict each other may come from two attempts at the work.
    if (this.#assembly.problem !== undefined) this.#assembly = new Assembly()
    const { agent_id: agentId, hints } = this.#work
    const url = agents.endpointOf(agentId)
    if (url === undefined)
      return { ending: failure(5003, `${agentId} is no peer of this daemon any more`, {}), isFurther: false }
    this.#protocol ??= await agents.protocolOf(agentId)
    const { version, agentType } = this.#protocol ?? DEFAULT_PROTOCOL
    if (version === undefined) return { ending: noCommonVersion(this.#work.work_type), isFurther: false }
    if (this.#isDone) return { ending: unavailable('It was stopped', {}), isFurther: false }
    this.#set({ sends: this.#work.sends + 1, last_attempt: clock.now(), protocol_version: version })
    this.#running = new WorkAttempt({
      wire,
      timers,
      url: url + CHIFFON_PATH,
      agentId,
      body: JSON.stringify(this.#request(version, agentType)),
      silenceMillis: Math.max(rules.silenceMillis, (hints.max_duration_seconds ?? 0) * 1000),
      signal: this.#stopped.signal,
      take: (message) => this.#take(message),
    })
    const { ending, heard } = await this.#running.run()
    const isFurther = heard > Math.max(this.#mostHeard, 1)
    this.#mostHeard = Math.max(this.#mostHeard, heard)
    return { ending, isFurther }
  }

  #request(version: string, agentType: AgentProtocol['agentType']) {
    const { clock } = this.#deps
    const { work_id, work_type, parameters, hints, trace_id, request_id, custom_fields } = this.#work
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

  #take(message: unknown): MessageMeaning {
    const unstorable = findUnstorable(message)
    if (unstorable !== undefined) throw new Fault('invalid_params', unstorable)
    const envelope = readEnvelope(message)
    const { type, payload } = envelope
    this.#deps.agents.hear(this.#work.agent_id)
    // An error can be the answer to a message that could not be read, and then names no request.
    if (type === 'error') return errorEnding(readError(payload))
    if (type === 'work_status' && isHeartbeat(payload)) return 'alive'
    assertAbout(this.#work, envelope)
    if (type === 'work_result') return endingOf(readWorkResult(payload), this.#assembly)
    this.#takeStatus(payload)
    return 'working'
  }

  /** An output that is too long ends the work, because no other message could deliver it. */
  async #takeUnasked(message: unknown): Promise<MessageMeaning> {
    try {
      return this.#take(message)
    } catch (error) {
      const fault = Fault.from(error)
      if (fault.kind === 'too_large') await this.#end(endingOfBadMessage(fault))
      throw fault
    }
  }

  #takeStatus(payload: JsonObject): void {
    const { status, progress_percent, step } = readWorkStatus(payload)
    if (step.output_chunk !== undefined) this.#assembly.add(step.output_chunk, step.output)
    const { number, name, output } = step
    this.#set({
      status: 'running',
      progress: Math.max(this.#work.progress, progress_percent),
      step: { number, name: name.slice(0, 200), status, output: output.slice(-STEP_OUTPUT).toWellFormed() },
    })
  }

  async #end(ending: Ending): Promise<void> {
    if (this.#ending !== undefined) return
    this.#ending =
      ending.outcome === undefined
        ? this.#close({ status: 'failed', error: this.#withContext(ending.error) })
        : this.#close({
            status: ending.status,
            progress: ending.outcome.is_success ? 100 : this.#work.progress,
            result: ending.outcome,
            error: ending.incomplete === undefined ? null : incompleteOutput(ending.incomplete),
          })
    this.#stopped.abort()
    await this.#ending
  }

  async #close(part: Partial<Work>): Promise<Work> {
    const ended = { ...this.#work, ...part, ended_at: this.#deps.clock.now() }
    const kept = await this.#deps.ended(ended)
    this.#set(kept)
    return this.#work
  }

  /** Adds the context that the document requires for failures that only the sender can observe. */
  #withContext(error: NonNullable<Ending['error']>): NonNullable<Ending['error']> {
    const { sends, last_attempt, agent_id } = this.#work
    const { context } = error
    if (error.code === 5001)
      return {
        ...error,
        context: { ...context, attempted_retries: Math.max(sends - 1, 0), last_attempt },
      }
    if (error.code === 5002 && (context['last_heartbeat'] ?? null) === null)
      return { ...error, context: { ...context, last_heartbeat: this.#deps.agents.lastHeard(agent_id) } }
    return error
  }

  #set(part: Partial<Work>): void {
    this.#work = { ...this.#work, ...part, updates: this.#work.updates + 1 }
    if (!isOver(this.#work) || part.ended_at !== undefined) this.#deps.changed(this.#work)
  }
}

const noCommonVersion = (workType: string): Ending =>
  failure(5006, `The agent does not speak version ${CHIFFON_VERSIONS.join(' or ')} of the protocol`, {
    work_type_requested: workType,
    supported_types: [],
    supported_versions: CHIFFON_VERSIONS,
  })
