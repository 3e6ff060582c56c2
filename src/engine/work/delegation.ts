import { Assembly } from '../../protocol/chiffon/assembly.ts'
import { CHIFFON_PATH, readEnvelope, wrap } from '../../protocol/chiffon/envelope.ts'
import { countsAsAbsent } from '../../protocol/chiffon/errors.ts'
import { isHeartbeat, readError, readWorkResult, readWorkStatus } from '../../protocol/chiffon/payloads.ts'
import { CHIFFON_VERSIONS } from '../../protocol/chiffon/versions.ts'
import { Fault } from '../../protocol/fault.ts'
import { findUnstorable, type JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { isOver, type Work } from '../../protocol/work.ts'
import type { Clock, Timers } from '../ports/ports.ts'
import type { AgentWire } from '../ports/work-ports.ts'
import type { AgentBreaker } from './agent-breaker.ts'
import type { Manners } from './agent-card.ts'
import {
  type Ending,
  endingOf,
  endingOfBadMessage,
  failure,
  incompleteOutput,
  toldError,
  unavailable,
} from './endings.ts'
import { Exchange, type Taken } from './exchange.ts'
import type { WorkRules } from './rules.ts'
import { assertAbout } from './same-work.ts'

/** Characters of what a step said that are kept to be shown. */
const STEP_OUTPUT = 2000

export interface DelegationDeps {
  readonly wire: AgentWire
  readonly clock: Clock
  readonly timers: Timers
  readonly rules: WorkRules
  readonly breaker: AgentBreaker
  /** Where the agent listens; undefined when it is no peer any more. */
  readonly endpoint: () => string | undefined
  readonly manners: () => Promise<Manners>
  readonly lastHeartbeat: () => Stamp | null
  /** The agent said something. */
  readonly hear: () => void
  /** Something of the work changed. */
  readonly changed: (work: Work) => void
  /** The last change, which must not be lost. */
  readonly ended: (work: Work) => Promise<Work>
}

/** Some work on its way: sent, followed, tried again where that may help, and brought to its end. */
export class Delegation {
  readonly #deps: DelegationDeps
  readonly #stopped = new AbortController()
  #assembly = new Assembly()
  #exchange: Exchange | undefined
  #work: Work
  #mostHeard = 0
  #ending: Promise<Work> | undefined

  constructor(deps: DelegationDeps, work: Work) {
    this.#deps = deps
    this.#work = work
  }

  get work(): Work {
    return this.#work
  }

  /** Goes on until the work has ended or this is stopped. Never throws. */
  async run(): Promise<void> {
    const { rules, breaker } = this.#deps
    let last: Ending = unavailable('It was not sent', {})
    for (let attempt = 0; attempt < rules.retryMillis.length; attempt++) {
      await this.#sleep(rules.retryMillis[attempt] ?? 0)
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
        // What is missing of a long output may come when it is told once more.
        if (ending.incomplete === undefined) break
      }
      // The agent was at work and the line broke: that is no failed attempt to send. One that says itself that it
      // took too long, or fell silent over it, has failed.
      if (isFurther && ending.error?.code === 5002) attempt = -1
    }
    await this.#end(last)
  }

  /** A message that the agent sent by itself. */
  async receive(message: unknown): Promise<void> {
    if (this.#stopped.signal.aborted || this.#ending !== undefined) return
    const taken = await this.#takeBrought(message)
    const ending = typeof taken === 'string' ? undefined : taken
    this.#exchange?.hear(ending)
    // What asking once more may mend is left to the exchange under way.
    if (ending === undefined || ending.incomplete !== undefined || ending.error?.retryable === true) return
    if (ending.outcome !== undefined) this.#deps.breaker.succeed()
    await this.#end(ending)
  }

  /** Ends it here; whatever comes later is not taken any more. */
  cancel(): Promise<Work> {
    this.#stopped.abort()
    this.#ending ??= this.#close({ status: 'canceled' })
    return this.#ending
  }

  /** Leaves it as it is, to be gone on with in the next life. */
  stop(): void {
    this.#stopped.abort()
  }

  get #isDone(): boolean {
    return this.#stopped.signal.aborted || this.#ending !== undefined
  }

  async #attempt(): Promise<{ ending: Ending; isFurther: boolean }> {
    const { wire, timers, rules, endpoint, manners, clock } = this.#deps
    // Chunks that contradict each other may be of two attempts at the work.
    if (this.#assembly.problem !== undefined) this.#assembly = new Assembly()
    const { agent_id: agentId, hints } = this.#work
    const url = endpoint()
    if (url === undefined)
      return { ending: failure(5003, `${agentId} is no peer of this daemon any more`, {}), isFurther: false }
    const { version, agentType } = await manners()
    if (version === undefined) return { ending: noCommonVersion(this.#work.work_type), isFurther: false }
    if (this.#isDone) return { ending: unavailable('It was stopped', {}), isFurther: false }
    this.#set({ sends: this.#work.sends + 1, last_attempt: clock.now(), protocol_version: version })
    this.#exchange = new Exchange({
      wire,
      timers,
      url: url + CHIFFON_PATH,
      agentId,
      body: JSON.stringify(this.#request(version, agentType)),
      silenceMillis: Math.max(rules.silenceMillis, (hints.max_duration_seconds ?? 0) * 1000),
      signal: this.#stopped.signal,
      take: (message) => this.#take(message),
    })
    const { ending, heard } = await this.#exchange.run()
    const isFurther = heard > Math.max(this.#mostHeard, 1)
    this.#mostHeard = Math.max(this.#mostHeard, heard)
    return { ending, isFurther }
  }

  #request(version: string, agentType: Manners['agentType']) {
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

  #take(message: unknown): Taken {
    const unstorable = findUnstorable(message)
    if (unstorable !== undefined) throw new Fault('invalid_params', unstorable)
    const envelope = readEnvelope(message)
    const { type, payload } = envelope
    this.#deps.hear()
    // An error may answer a message that could not be read, and then it knows no request.
    if (type === 'error') return toldError(readError(payload))
    if (type === 'work_status' && isHeartbeat(payload)) return 'there'
    assertAbout(this.#work, envelope)
    if (type === 'work_result') return endingOf(readWorkResult(payload), this.#assembly)
    this.#takeStatus(payload)
    return 'at work'
  }

  /** An output that is too long ends the work: no other message could bring it. */
  async #takeBrought(message: unknown): Promise<Taken> {
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

  /** What the document wants to be known of a failure that nobody but the sender can see. */
  #withContext(error: NonNullable<Ending['error']>): NonNullable<Ending['error']> {
    const { sends, last_attempt } = this.#work
    const { context } = error
    if (error.code === 5001)
      return {
        ...error,
        context: { ...context, attempted_retries: Math.max(sends - 1, 0), last_attempt },
      }
    if (error.code === 5002 && (context['last_heartbeat'] ?? null) === null)
      return { ...error, context: { ...context, last_heartbeat: this.#deps.lastHeartbeat() } }
    return error
  }

  #set(part: Partial<Work>): void {
    this.#work = { ...this.#work, ...part, updates: this.#work.updates + 1 }
    if (!isOver(this.#work) || part.ended_at !== undefined) this.#deps.changed(this.#work)
  }

  #sleep(millis: number): Promise<void> {
    if (millis === 0) return Promise.resolve()
    const { signal } = this.#stopped
    return new Promise((resolve) => {
      const cancel = this.#deps.timers.after(millis, done)
      function done() {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    })
  }
}

const noCommonVersion = (workType: string): Ending =>
  failure(5006, `The agent does not speak version ${CHIFFON_VERSIONS.join(' or ')} of the protocol`, {
    work_type_requested: workType,
    supported_types: [],
    supported_versions: CHIFFON_VERSIONS,
  })
