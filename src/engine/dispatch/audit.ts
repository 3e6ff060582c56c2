import type { Caller, Origin } from '../../domain/env.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import { type AuditLine, idsIn, isRefusal, projectIn } from '../../domain/trust/audit.ts'
import { notedOf } from '../../methods/row.ts'
import type { From } from '../../methods/services.ts'
import { Fault, type FaultKind } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { AuditTrail, Clock } from '../ports/ports.ts'
import type { AnswerCall, RowCall } from './call.ts'

/** A request that is no call of a method, or was refused before its method was known. */
export interface Visit {
  readonly what: string
  readonly origin: Origin
  /** Undefined until the caller is identified. */
  readonly caller?: Caller | undefined
  /** The agent that the request is about, as the request says. */
  readonly about?: string | undefined
}

export type Audit = ReturnType<typeof createAudit>

const MOST_IDS_IN_LINE = 1000
const HOUR = 3_600_000
/** More than the lists that a hundred sessions look at. */
const MOST_LOOKS = 1000

const CHANGED: ReadonlySet<unknown> = new Set(['created', 'updated'])

export function createAudit({ trail, clock }: { trail: AuditTrail; clock: Pick<Clock, 'now'> }) {
  /** One object literal for speed, because every write passes here; undefined values are left out of the JSON. */
  function note(decided: Decided, visit: Pick<Visit, 'what' | 'caller'> & { origin?: Origin | undefined }) {
    const { what, caller, origin } = visit
    trail.record({
      at: clock.now(),
      outcome: decided.outcome,
      fault: decided.fault,
      caller: caller?.kind,
      // The agent ID of an anonymous caller is not proven, so it is not noted.
      agentId: caller?.kind === 'anonymous' ? undefined : caller?.agentId,
      via: caller?.person === undefined ? undefined : 'ui',
      credential: caller?.credential,
      from: origin?.address,
      what,
      projectId: decided.projectId,
      ids: decided.ids,
      requestId: origin?.requestId,
    })
  }

  /** When each session was last noted to have looked at something. */
  const looked = new Map<string, number>()
  /** Whether a person has not looked at it within an hour; a page asks every few seconds. */
  function isFirstLook({ row, caller }: RowCall): boolean {
    if (caller.person === undefined) return true
    const look = `${row.name} ${caller.credential}`
    const now = Date.parse(clock.now())
    const last = looked.get(look)
    if (last !== undefined && Math.abs(now - last) < HOUR) return false
    if (looked.size >= MOST_LOOKS) looked.clear()
    looked.set(look, now)
    return true
  }

  function isNoted(call: RowCall, result: unknown, fault: FaultKind | undefined): boolean {
    const noted = notedOf(call.row)
    if (noted === 'first') return fault !== undefined || isFirstLook(call)
    if (noted !== 'changes') return noted === 'always'
    return fault !== undefined || (isJsonObject(result) && CHANGED.has(result['status']))
  }

  const named = ({ about }: Visit) => (about === undefined ? undefined : [about])

  return {
    /** Notes a request that was refused. Other failures are no decisions about access, and are not noted. */
    refused(visit: Visit, error: unknown): void {
      const { kind: fault, data } = Fault.from(error)
      // The Fault names the agent whose key or token was refused.
      const ids = named(visit) ?? idsIn(data, undefined)
      if (isRefusal(fault)) note({ outcome: 'refused', fault, ids }, visit)
    },

    allowed: (visit: Visit): void => note({ outcome: 'allowed', ids: named(visit) }, visit),

    /** Notes who handed statements over, which need not be their author. */
    taken({ caller, origin }: From, statements: readonly Statement[]): void {
      const projects = new Map<string, Set<string>>()
      for (const { project_id: projectId, about } of statements) {
        const ids = projects.get(projectId) ?? new Set()
        projects.set(projectId, ids.size < MOST_IDS_IN_LINE ? ids.add(about) : ids)
      }
      for (const [projectId, abouts] of projects) {
        abouts.delete(projectId)
        const ids = abouts.size === 0 ? undefined : [...abouts]
        note({ outcome: 'allowed', projectId, ids }, { what: 'cacp/sync/statements', caller, origin })
      }
    },

    /** Answers calls in the same way, and notes those that are refused and those that change something. */
    watch(answer: AnswerCall): AnswerCall {
      const noteCall = (call: RowCall, result: unknown, fault: FaultKind | undefined) => {
        const { row, caller, origin } = call
        const isRefused = fault !== undefined && isRefusal(fault)
        if (!isRefused && !isNoted(call, result, fault)) return
        const outcome = isRefused ? 'refused' : 'allowed'
        const params = call.paramsWithIds ?? call.params
        const projectId = projectIn(params, result)
        note({ outcome, fault, projectId, ids: idsIn(params, result) }, { what: row.name, caller, origin })
      }
      return (call) => {
        const outcome = answer(call)
        outcome.then(
          (result) => noteCall(call, result, call.row.refusesInResult ? faultIn(result) : undefined),
          (error: unknown) => noteCall(call, undefined, Fault.from(error).kind),
        )
        return outcome
      }
    },
  }
}

type Decided = Pick<AuditLine, 'outcome' | 'fault' | 'projectId' | 'ids'>

/** The kind of Fault in the result of a row that answers refusals as results. */
function faultIn(result: unknown): FaultKind | undefined {
  return isJsonObject(result) && result['status'] === 'error' ? (result['kind'] as FaultKind) : undefined
}
