import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { MethodName, ParamsOf, ResultOf } from '../../methods/table.ts'
import { call } from '../call/call.ts'
import type { CallFault } from '../call/fault.ts'

/** How far an act is. Nothing is shown as done before the daemon has it on disk. */
export type ActState<Result> =
  | { readonly is: 'ready' }
  | { readonly is: 'sending' }
  | { readonly is: 'done'; readonly result: Result; readonly at: number }
  | { readonly is: 'failed'; readonly fault: CallFault }

export interface Act<Name extends MethodName> {
  readonly state: ActState<ResultOf<Name>>
  send(params: ParamsOf<Name>): Promise<ActState<ResultOf<Name>>>
  /** Makes the form ready for another act, or for another attempt after one that failed. */
  reset(): void
}

/** An act by a method. The same params have the same key, so that trying again after a lost answer does it once. */
export function useAct<Name extends MethodName>(method: Name): Act<Name> {
  const state = useSignal<ActState<ResultOf<Name>>>({ is: 'ready' })
  const key = useRef({ of: '', key: '' })
  return {
    state: state.value,
    async send(params) {
      if (state.value.is === 'sending') return state.value
      state.value = { is: 'sending' }
      const of = JSON.stringify(params)
      if (key.current.of !== of) key.current = { of, key: crypto.randomUUID() }
      const outcome = await call(method, params, { idempotencyKey: key.current.key })
      state.value = outcome.ok
        ? { is: 'done', result: outcome.result, at: Date.now() }
        : { is: 'failed', fault: outcome.fault }
      return state.value
    },
    reset() {
      if (state.value.is === 'done') key.current = { of: '', key: '' }
      state.value = { is: 'ready' }
    },
  }
}
