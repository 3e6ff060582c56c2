import { request } from 'undici'

/** One JSON-RPC call, by the operator, to a daemon that is a process of its own. */
export async function rpcTo(
  { url, key }: { url: string; key: string },
  method: string,
  params: object,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
): Promise<any> {
  const reply = await request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await reply.body.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw Object.assign(new Error(error.message), error)
  return result
}
