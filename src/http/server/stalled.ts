import type { Server, Socket } from 'node:net'
import type { UnreadLimits } from '../reply/unread.ts'

export type StallLimits = Pick<UnreadLimits, 'unreadSeconds'>

/** Closes connections whose other end does not take what was written to it. Ends with the server. */
export function closeStalled(server: Server, event: 'connection' | 'secureConnection', limits: StallLimits) {
  const { unreadSeconds } = limits
  const sockets = new Set<Socket>()
  /** Of those for which something waits: how many bytes were out, and when something of it was last taken. */
  const looks = new Map<Socket, { readonly out: number; readonly at: number }>()

  server.on(event, (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      looks.delete(socket)
    })
  })

  const lookEveryMillis = Math.min(1000, unreadSeconds * 250)
  const looking = setInterval(() => {
    const now = performance.now()
    for (const socket of sockets) look(socket, now)
  }, lookEveryMillis)
  looking.unref()
  server.once('close', () => clearInterval(looking))

  function look(socket: Socket, at: number): void {
    if (socket.writableLength === 0) return void looks.delete(socket)
    const out = socket.bytesWritten - socket.writableLength
    const before = looks.get(socket)
    if (before?.out !== out) looks.set(socket, { out, at })
    else if (at - before.at >= unreadSeconds * 1000) socket.destroy()
  }
}
