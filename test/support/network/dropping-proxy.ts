import { text } from 'node:stream/consumers'
import { request } from 'undici'
import { type EncryptedServer, encryptedServer } from './encrypted-server.ts'

/** Hands every request on to a daemon, and cuts the line when the answer has come; nobody hears it. */
export function droppingProxy(
  target: string,
  beforeDrop: () => Promise<unknown> = async () => {},
): Promise<EncryptedServer> {
  async function handOn(path: string, sent: Promise<string>): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const reply = await request(`${target}${path}`, { method: 'POST', headers, body: await sent })
    await reply.body.dump()
    await beforeDrop()
  }
  return encryptedServer((incoming, outgoing) => {
    void handOn(incoming.url ?? '/', text(incoming)).finally(() => outgoing.destroy())
  })
}
