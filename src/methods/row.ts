import type { z } from 'zod'
import type { Decision } from '../domain/change.ts'
import type { Shown } from '../domain/delivery/receipt.ts'
import type { Env, Origin } from '../domain/env.ts'
import type { View } from '../domain/view.ts'
import type { Permission } from '../protocol/words.ts'
import type { Services } from './services.ts'

/** What a caller must be allowed to do. Every method and every route names exactly one. */
export type Access = 'public' | 'read' | 'write' | 'sync' | 'run' | 'operator'

/**
 * Which of its calls are told in the audit trail; what is refused always is. `changes`: those that changed something,
 * as their result says, and those that failed.
 */
export type Noted = 'always' | 'changes' | 'never'

/** Its access says that of a row that only reads or always acts; any other has to say it. */
export type AccessSpec =
  | { access: keyof typeof NOTED_BY_ACCESS; noted?: undefined }
  | { access: Exclude<Access, keyof typeof NOTED_BY_ACCESS>; noted: Noted }

const NOTED_BY_ACCESS = { public: 'never', read: 'never', write: 'always', operator: 'always' } as const

export const notedOf = (row: AccessSpec): Noted => row.noted ?? NOTED_BY_ACCESS[row.access]

export type MethodSpec<
  Name extends string,
  Params extends z.ZodObject,
  Result extends z.ZodType,
> = AccessSpec & {
  name: Name
  /** One sentence in the imperative; shown by help, docs and OpenRPC. */
  summary: string
  /** What a project token must allow for this call, which then concerns that project alone; none: never with a token. */
  permission?: Permission
  params: Params
  result: Result
  example: { params: z.input<Params>; result: z.input<Result> }
  /** Said beside a refusal of its params: an example of good ones, fitting the field that is not. */
  hint?: (field: string) => string
  /** What a peer sent and is refused is answered as a result, so that one bad object cannot fail its batch. */
  refusesInResult?: true
  /** It looks at each part of its params itself, so that one bad part costs only itself. */
  judgesParts?: true
  /** The file that a call carries inline. It is stored before the decision, which finds it in `env.attachment`. */
  attachment?: (params: z.output<Params>) => Uint8Array | null
  /** The file that a call names by its hash. It is looked for among the peers before the decision. */
  namedFile?: (params: z.output<Params>) => string | undefined
}

/** A pure decision on the present state. */
export type Decide<Params, Result> = (view: View, params: Params, env: Env) => Decision<Result>

/** For what needs more than the state: works through services, and changes nothing itself. */
export type Serve<Params, Result> = (services: Services, params: Params, call: ServedCall) => Promise<Result>

export interface ServedCall {
  readonly view: View
  readonly env: Env
  /** Absent for what this daemon fetched itself. */
  readonly origin?: Origin | undefined
  /** Aborted when the caller does not wait any more; absent where nobody can leave. */
  readonly gone?: (() => AbortSignal) | undefined
  /** Says what of the shared state is in the result; it counts once the result is given. */
  readonly show?: ((shown: Shown) => void) | undefined
}

export type DecideMethod<
  Name extends string,
  Params extends z.ZodObject,
  Result extends z.ZodType,
> = MethodSpec<Name, Params, Result> & { decide: Decide<z.output<Params>, z.output<Result>> }

export type ServeMethod<
  Name extends string,
  Params extends z.ZodObject,
  Result extends z.ZodType,
> = MethodSpec<Name, Params, Result> & { serve: Serve<z.output<Params>, z.output<Result>> }

/** A row whatever its types: what dispatch and the derived documents work with. */
export type AnyMethod = AnySpec & AccessSpec & (AnyDecide | AnyServe)

interface AnySpec {
  name: string
  summary: string
  permission?: Permission
  params: z.ZodObject
  result: z.ZodType
  example: { params: unknown; result: unknown }
  hint?: (field: string) => string
  refusesInResult?: true
  judgesParts?: true
  attachment?: (params: never) => Uint8Array | null
  namedFile?: (params: never) => string | undefined
}

interface AnyDecide {
  decide: (view: View, params: never, env: Env) => Decision<unknown>
  serve?: undefined
}

interface AnyServe {
  serve: (services: Services, params: never, call: ServedCall) => Promise<unknown>
  decide?: undefined
}

/** Two steps on purpose: in one object literal TypeScript would widen `'proposed'` to `string`. */
export function method<Name extends string, Params extends z.ZodObject, Result extends z.ZodType>(
  spec: MethodSpec<Name, Params, Result>,
) {
  return {
    decide: (decide: Decide<z.output<Params>, z.output<Result>>): DecideMethod<Name, Params, Result> => ({
      ...spec,
      decide,
    }),
    serve: (serve: Serve<z.output<Params>, z.output<Result>>): ServeMethod<Name, Params, Result> => ({
      ...spec,
      serve,
    }),
  }
}
