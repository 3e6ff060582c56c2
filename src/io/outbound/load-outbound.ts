import { once } from 'node:events'
import { Socket } from 'node:net'

let undici: Promise<typeof import('./undici.ts')> | undefined

/** Loads undici with the first request: a program that sends none starts sooner. Kept, because every request asks. */
export function loadUndici(): Promise<typeof import('./undici.ts')> {
  undici ??= import('./undici.ts')
  return undici
}

/** Loaded with the first connection to a peer: the client library has no peers. */
export const loadProof = () => import('./proven-socket.ts')

/**
 * Loads all that requests to others need. undici loads some of it with its first connection, so one is made that leads
 * nowhere.
 */
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
