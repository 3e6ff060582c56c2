/** Why a call failed, as data: what the daemon said, or that it said nothing. */
export interface CallFault {
  /** A kind of the daemon's faults; `unreachable`: no answer came. */
  readonly kind: string
  readonly message: string
  readonly next?: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly fault: CallFault }

export const UNREACHABLE: CallFault = {
  kind: 'unreachable',
  message: 'The daemon does not answer',
  next: 'Start it with cacpd up -d, then try again',
  data: {},
}

/** Reads `error` of a JSON-RPC answer, where details are under `data`, or of a plain one, where they stand beside it. */
export function readFault(error: unknown): CallFault {
  if (!isObject(error)) return { kind: 'internal', message: 'The answer was not understood', data: {} }
  const { kind, next, ...data } = isObject(error['data']) ? error['data'] : error
  return {
    kind: typeof kind === 'string' ? kind : 'internal',
    message: typeof error['message'] === 'string' ? error['message'] : 'Server error',
    next: typeof next === 'string' ? next : undefined,
    data,
  }
}

/** The outcome of a JSON-RPC answer. */
export function readAnswer<Result>(answer: unknown): Outcome<Result> {
  if (isObject(answer) && 'result' in answer) return { ok: true, result: answer['result'] as Result }
  return { ok: false, fault: readFault(isObject(answer) ? answer['error'] : undefined) }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
