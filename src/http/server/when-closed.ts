import type { Socket } from 'node:net'

const toCall = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls back when a connection is closed, unless the function that it returns is called before. An answer that
 * waits behind another one on the same connection does not hear of that by itself.
 */
export function whenClosed(socket: Socket, call: () => void): () => void {
  const known = toCall.get(socket)
  const calls = known ?? new Set()
  calls.add(call)
  if (known === undefined) {
    toCall.set(socket, calls)
    socket.once('close', () => {
      for (const one of [...calls]) one()
    })
  }
  return () => void calls.delete(call)
}
