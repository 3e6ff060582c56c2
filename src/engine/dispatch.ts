import type { Decision } from '../domain/change.ts'
import type { Env, Self } from '../domain/env.ts'
import type { StoredFile, View } from '../domain/view.ts'
import type { AnyMethod } from '../methods/row.ts'
import type { Services } from '../methods/services.ts'
import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import { assertMayCall } from './access.ts'
import type { Call } from './call.ts'
import { readIdempotencyKey, rememberingAnswer } from './idempotency.ts'
import { readParams } from './params.ts'
import type { Clock, Files, Store } from './ports.ts'

export type Dispatch = (call: Call) => Promise<unknown>

export interface DispatchDeps {
  methods: readonly AnyMethod[]
  store: Store
  files: Files
  clock: Clock
  self: Self
  services: Services
}

/** The one way in: HTTP, CLI, MCP and peers all end here. */
export function createDispatch({ methods, store, files, clock, self, services }: DispatchDeps): Dispatch {
  const table = new Map(methods.map((row) => [row.name, row]))

  return async (call) => {
    const row = table.get(call.method)
    if (row === undefined) throw methodNotFound(call.method)
    assertMayCall(call.caller, row.access, row.name)
    const params = readParams(row, call.params)
    const key = row.access === 'write' ? readIdempotencyKey(call) : undefined
    const attachment = row.attachment === undefined ? null : await storeAttachment(row, params)
    const named = row.namedFile?.(params as never)
    if (named !== undefined) await services.files.bring(named, { caller: call.caller, isDaemon: false })

    const { decide: decideRow, serve } = row
    const envNow = (): Env => ({
      caller: call.caller,
      self,
      now: clock.now(),
      newId: clock.newId,
      attachment,
    })
    if (serve !== undefined) return serve(services, params as never, { view: store.view, env: envNow() })

    const decide = (view: View): Decision<unknown> => {
      const env = envNow()
      const decided = () => decideRow(view, params as never, env)
      return key === undefined ? decided() : rememberingAnswer({ view, key, call, now: env.now }, decided)
    }
    return row.refusesInResult ? refusingInResult(store.commit(decide)) : store.commit(decide)
  }

  async function storeAttachment(row: AnyMethod, params: unknown): Promise<StoredFile | null> {
    const bytes = row.attachment?.(params as never) ?? null
    return bytes === null ? null : files.put(oneChunk(bytes), LIMITS.fileBytes)
  }
}

export function methodNotFound(method: string): Fault {
  return new Fault('method_not_found', `Method not found: ${method.slice(0, 100)}`, {
    next: 'GET /methods lists all methods',
  })
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
