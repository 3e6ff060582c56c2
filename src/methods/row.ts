import type * as z from 'zod'
import type { Decision } from '../domain/change.ts'
import type { Shown } from '../domain/delivery/receipt.ts'
import type { Caller, Env, Origin } from '../domain/env.ts'
import type { View } from '../domain/view.ts'
import type { Permission } from '../protocol/permission.ts'
import type { Services } from './services.ts'

/** The access that a caller needs. Every method and every route names exactly one. */
export type Access = 'public' | 'read' | 'write' | 'sync' | 'run' | 'operator'

/**
 * Which calls of a row are recorded in the audit log; refused calls always are. `changes`: those that changed
 * something, according to their result, and those that failed. `first`: all, but for a page that asks again and again only
 * the first within an hour.
 */
type Noted = 'always' | 'changes' | 'first' | 'never'

/** Follows from the access of a row that only reads or always acts; any other row has to say it. */
type AccessSpec =
  | { access: keyof typeof NOTED_BY_ACCESS; noted?: undefined }
  /** For what only the operator may look at. */
  | { access: 'operator'; noted: 'first' | 'never' }
  | { access: Exclude<Access, keyof typeof NOTED_BY_ACCESS>; noted: Noted }

const NOTED_BY_ACCESS = { public: 'never', read: 'never', write: 'always', operator: 'always' } as const

export const notedOf = (row: AccessSpec): Noted => row.noted ?? NOTED_BY_ACCESS[row.access]

type MethodSpec<Name extends string, Params extends z.ZodObject, Result extends z.ZodType> = AccessSpec & {
  name: Name
  /** One sentence in the imperative; shown by help, docs and OpenRPC. */
  summary: string
  /** The permission that a project token needs for this call, in its project alone; missing: never with a token. */
  permission?: Permission
  params: Params
  result: Result
  example: { params: z.input<Params>; result: z.input<Result> }
  /** An example of valid params for the field that was refused, added to the fault. */
  hint?: (field: string) => string
  /** Answers a refused object of a peer as a result, so that one bad object does not fail its whole batch. */
  refusesInResult?: true
  /** Checks each part of its params itself, so that a bad part affects only itself. */
  judgesParts?: true
  /** The file that a call carries inline. It is stored before the decision, which finds it in `env.attachment`. */
  attachment?(params: z.output<Params>): Uint8Array | null
  /** Files of this repository that a call declares. They are looked at before the decision, which finds that in `env.looks`. */
  declares?(params: z.output<Params>): readonly string[]
  /** What has to be done before the decision: a file that a call names is searched for, own files are looked at. */
  prepare?(services: Services, params: z.output<Params>, caller: Caller): Promise<unknown> | undefined
}

export interface Decided<Params extends z.ZodObject, Result extends z.ZodType> {
  /** A pure decision on the present state. */
  decide(view: View, params: z.output<Params>, env: Env): Decision<z.output<Result>>
  serve?: undefined
}

export interface Served<Params extends z.ZodObject, Result extends z.ZodType> {
  /** For methods that need more than the state: they use services, and change nothing themselves. */
  serve(services: Services, params: z.output<Params>, call: ServedCall): Promise<z.output<Result>>
  decide?: undefined
}

export interface ServedCall {
  readonly view: View
  readonly env: Env
  /** Missing for a call by this daemon itself. */
  readonly origin?: Origin | undefined
  /** Aborted when the caller stops waiting; missing if the caller cannot leave. */
  readonly gone?: (() => AbortSignal) | undefined
  /** Names the contracts and packets in the result; receipts for them are recorded once the result is sent. */
  readonly show?: ((shown: Shown) => void) | undefined
}

/** A row of any types, for dispatch and the derived documents. */
export type AnyMethod = MethodSpec<string, z.ZodObject, z.ZodType> &
  (Decided<z.ZodObject, z.ZodType> | Served<z.ZodObject, z.ZodType>)

/** Two steps on purpose: in one object literal TypeScript would widen `'proposed'` to `string`. */
export function method<Name extends string, Params extends z.ZodObject, Result extends z.ZodType>(
  spec: MethodSpec<Name, Params, Result>,
) {
  type Spec = typeof spec
  return {
    decide: (decide: Decided<Params, Result>['decide']): Spec & Decided<Params, Result> => ({
      ...spec,
      decide,
    }),
    serve: (serve: Served<Params, Result>['serve']): Spec & Served<Params, Result> => ({ ...spec, serve }),
  }
}
