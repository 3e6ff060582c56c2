import type { AnyMethod } from '../../methods/row.ts'
import { Fault } from '../../protocol/fault.ts'
import type { AnswerCall, Call } from './call.ts'

/** Makes a call by the name of its method. */
export type Dispatch = (call: Call) => Promise<unknown>

export type MethodTable = ReadonlyMap<string, AnyMethod>

export const tableOf = (methods: readonly AnyMethod[]): MethodTable =>
  new Map(methods.map((row) => [row.name, row]))

/** Looks the name up, once; from then on the call carries its row. */
export function createDispatch(methods: MethodTable, answer: AnswerCall): Dispatch {
  return ({ method, ...call }) => {
    const row = methods.get(method)
    return row === undefined ? Promise.reject(methodNotFound(method)) : answer({ row, ...call })
  }
}

export function methodNotFound(method: string): Fault {
  return new Fault('method_not_found', `Method not found: ${method.slice(0, 100)}`, {
    next: 'GET /methods lists all methods',
  })
}
