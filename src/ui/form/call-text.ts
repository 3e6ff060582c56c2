/** A call as it can be made elsewhere: as JSON-RPC, by the command line, by curl. */

export interface MadeCall {
  readonly method: string
  readonly params: object
}

export function asJsonRpc({ method, params }: MadeCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, null, 2)
}

export function asCommand({ method, params }: MadeCall): string {
  return `cacpd call ${method} ${shellQuoted(JSON.stringify(params))}`
}

export function asCurl(call: MadeCall, root: string): string {
  const { method, params } = call
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return `curl -sS ${shellQuoted(`${root}/`)} \\
  -H 'content-type: application/json' \\
  -H "authorization: Bearer $(cacpd key)" \\
  -d ${shellQuoted(body)}`
}

/** One word for a POSIX shell, whatever is in it. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
