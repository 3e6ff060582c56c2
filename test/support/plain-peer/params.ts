export type Params = Readonly<Record<string, unknown>>
export type Handler = (params: Params) => object | Promise<object>
export type Handlers = Readonly<Record<string, Handler>>

/** A missing param is no -32602 here: the bare key reaches the caller as a -32000. */
export function need(params: Params, key: string): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new TypeError('indices must be integers or slices, not str')
  }
  if (!Object.hasOwn(params, key)) throw new Error(key)
  return params[key]
}
