import type { z } from 'zod'
import type { Decision } from '../domain/change.ts'
import type { Env } from '../domain/env.ts'
import type { View } from '../domain/view.ts'

/** What a caller must be allowed to do. Every method and every route names exactly one. */
export type Access = 'public' | 'read' | 'write' | 'sync' | 'operator'

export interface MethodSpec<Name extends string, Params extends z.ZodObject, Result extends z.ZodType> {
  name: Name
  /** One sentence in the imperative; shown by help, docs and OpenRPC. */
  summary: string
  access: Access
  params: Params
  result: Result
  example: { params: z.input<Params>; result: z.input<Result> }
  /** What a peer sent and is refused is answered as a result, so that one bad object cannot fail its batch. */
  refusesInResult?: true
  /** The file that a call carries inline. It is stored before the decision, which finds it in `env.attachment`. */
  attachment?: (params: z.output<Params>) => Uint8Array | null
}

export interface Method<Name extends string, Params extends z.ZodObject, Result extends z.ZodType>
  extends MethodSpec<Name, Params, Result> {
  decide(view: View, params: z.output<Params>, env: Env): Decision<z.output<Result>>
}

/** A row whatever its types: what dispatch and the derived documents work with. */
export interface AnyMethod {
  name: string
  summary: string
  access: Access
  params: z.ZodObject
  result: z.ZodType
  example: { params: unknown; result: unknown }
  refusesInResult?: true
  attachment?: (params: never) => Uint8Array | null
  decide(view: View, params: never, env: Env): Decision<unknown>
}

/** Two steps on purpose: in one object literal TypeScript would widen `'proposed'` to `string`. */
export function method<Name extends string, Params extends z.ZodObject, Result extends z.ZodType>(
  spec: MethodSpec<Name, Params, Result>,
) {
  return {
    decide: (
      decide: (view: View, params: z.output<Params>, env: Env) => Decision<z.output<Result>>,
    ): Method<Name, Params, Result> => ({ ...spec, decide }),
  }
}
