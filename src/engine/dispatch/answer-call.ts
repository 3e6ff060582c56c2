import { type Decision, mapResult } from '../../domain/change.ts'
import type { Shown } from '../../domain/delivery/receipt.ts'
import type { Caller, Env } from '../../domain/env.ts'
import { withIds } from '../../domain/names/params-with-ids.ts'
import { isShutOut } from '../../domain/peers/refused-by-peer.ts'
import { asCalled } from '../../domain/repo/acting-for.ts'
import type { StoredFile, View } from '../../domain/view.ts'
import type { AnyMethod } from '../../methods/row.ts'
import type { Services } from '../../methods/services.ts'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { namedFieldsOf } from '../../protocol/named.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import type { Parts } from '../parts.ts'
import type { Clocks } from '../replicate/peer/clocks.ts'
import { keyNeeded, mayShorten, refusalOf } from './access.ts'
import type { AnswerCall, RowCall } from './call.ts'
import { readIdempotencyKey, rememberingAnswer } from './idempotency.ts'
import { readParams } from './params.ts'
import type { RetryOnArrival } from './retry-on-arrival.ts'

export interface AnswerDeps extends Pick<Parts, 'store' | 'clock' | 'self'> {
  services: Services
  /** The boot id of this daemon, which its calls to peers carry too, so that they can be compared. */
  bootId(): string
  /** The hint for writers whose clock differs from those of peers; left out where clocks are not compared. */
  clocks?: Pick<Clocks, 'hint'> | undefined
  /** For calls that come before the statements that they are about; left out, no call waits. */
  patience?: RetryOnArrival | undefined
  /** Notes what a caller was shown; left out where no receipts are kept. */
  noteShown?: ((caller: Caller, shown: Shown) => void) | undefined
}

/** The one way in: the calls of HTTP, CLI, MCP and peers are all answered here. */
export function createAnswer(deps: AnswerDeps): AnswerCall {
  const { store, clock, self, services, bootId, patience, clocks, noteShown } = deps

  return (call) => {
    const { row, caller, params } = call
    const refusal = isShutOut(caller, store.view)
      ? keyNeeded(row.name)
      : refusalOf(caller, row, params, store.view)
    if (refusal !== undefined) return Promise.reject(refusal)
    const outcome = caller.called === undefined ? run(call) : runForNamed(call)
    return row.refusesInResult ? refusingInResult(outcome) : outcome
  }

  /** A caller without a key that names itself. A daemon that hands over its state acts under that name. */
  function runForNamed(call: RowCall): Promise<unknown> {
    const { row, caller } = call
    if (row.access === 'sync') return run(call, asCalled(caller))
    const mayRepeat = row.serve === undefined
    return patience !== undefined && mayRepeat ? patience(() => run(call)) : run(call)
  }

  async function run(call: RowCall, caller: Caller = call.caller): Promise<unknown> {
    const { row } = call
    const params = readParams(row, call.params)
    const key = row.access === 'write' ? readIdempotencyKey(call) : undefined
    const preparing = row.prepare?.(services, params as never, caller)
    if (preparing !== undefined) await preparing
    const declared = row.declares?.(params as never)
    const looks = declared && (await services.trees.lookFor(caller, declared))
    const envWith = (attachment: StoredFile | null): Env => ({
      caller,
      self,
      now: clock.now(),
      newId: clock.newId,
      newNonce: clock.newNonce,
      bootId: bootId(),
      attachment,
      looks,
    })
    const { decide: decideRow, serve } = row
    const paramsIn = (view: View): never => {
      const asking = { caller, mayShorten: mayShorten(row) }
      call.paramsWithIds = withIds(params, namedFieldsOf(row.params), view, asking)
      return call.paramsWithIds as never
    }
    if (serve !== undefined) {
      const shown: Shown[] = []
      const show = (one: Shown) => shown.push(one)
      const { gone, origin } = call
      const served = { view: store.view, env: envWith(null), gone, origin, show }
      const result = await serve(services, paramsIn(store.view), served)
      for (const one of shown) noteShown?.(caller, one)
      return result
    }

    let shown: Shown | undefined
    const bytes = row.attachment?.(params as never) ?? null
    const attachment = bytes === null ? null : { sha256: sha256(bytes), size: bytes.length }
    const decide = (view: View): Decision<unknown> => {
      const env = envWith(attachment)
      const decided = () => hinting(row, decideRow(view, paramsIn(view), env))
      if (key !== undefined) return rememberingAnswer({ view, key, call, now: env.now }, decided)
      const decision = decided()
      shown = decision.shows
      return decision
    }
    if (bytes !== null) {
      // A call that would be refused anyway leaves no file behind.
      decide(store.view)
      await services.files.take(oneChunk(bytes), caller)
    }
    const result = await store.commit(decide)
    if (shown !== undefined) noteShown?.(caller, shown)
    return result
  }

  /** Adds the hint inside the decision, so that it is remembered with the answer of an idempotency key. */
  function hinting(row: AnyMethod, decision: Decision<unknown>): Decision<unknown> {
    const { says = [] } = decision
    const hint = row.access === 'write' && says.length > 0 ? clocks?.hint : undefined
    return hint === undefined ? decision : mapResult(decision, (result) => withHint(result, hint))
  }
}

/** Adds the hint to the one that the method itself gives. */
function withHint(result: unknown, hint: string): unknown {
  if (!isJsonObject(result)) return result
  const { hint: own } = result
  return { ...result, hint: typeof own === 'string' ? `${own}. ${hint}` : hint }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function refusingInResult(outcome: Promise<unknown>): Promise<unknown> {
  try {
    return await outcome
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { kind, retryable } = error.details
    return { status: 'error', reason: error.message, kind, retryable }
  }
}
