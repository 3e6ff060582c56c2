import { once } from 'node:events'
import { Socket } from 'node:net'

let undici: Promise<typeof import('undici')> | undefined

/** A daemon without peers starts sooner without it. Kept, because every call asks for it. */
export function loadUndici(): Promise<typeof import('undici')> {
  undici ??= import('undici')
  return undici
}

/** The client library has no peers, and is to load nothing that only they need. */
export const loadProof = () => import('./proven-socket.ts')

/** All that calls to others need. undici loads some of it with its first connection, so one is made that leads nowhere. */
export async function loadOutbound(): Promise<void> {
  const [{ Client }] = await Promise.all([loadUndici(), loadProof()])
  const client = new Client('http://localhost', {
    connect: (_target, connected) => connected(null, new Socket()),
  })
  const isConnected = once(client, 'connect')
  const called = client.request({ method: 'GET', path: '/' }).catch(() => {})
  await isConnected
  await client.destroy()
  await called
}
