import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { request } from 'undici'

/** Hands every request on to a daemon, and cuts the line when the answer has come; nobody hears it. */
export async function droppingProxy(
  target: string,
  beforeDrop: () => Promise<unknown> = async () => {},
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((incoming, outgoing) => {
    void handOn(incoming.url ?? '/', text(incoming)).finally(() => outgoing.destroy())
  })
  async function handOn(path: string, sent: Promise<string>): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const reply = await request(`${target}${path}`, { method: 'POST', headers, body: await sent })
    await reply.body.dump()
    await beforeDrop()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
    },
  }
}
