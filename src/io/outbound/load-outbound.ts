import { once } from 'node:events'
import { Socket } from 'node:net'

export type Undici = typeof import('undici').default

let undici: Promise<Undici> | undefined

/** Loads undici with the first request: a program that sends none starts sooner. Kept, because every request asks. */
export function loadUndici(): Promise<Undici> {
  // By its default alone: its other names are not found where it is bundled.
  undici ??= import('undici').then((loaded) => loaded.default)
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
