import type { Server, Socket } from 'node:net'

export interface StallLimits {
  /** How long a connection may take nothing of what waits for it. */
  readonly unreadSeconds: number
}

interface Look {
  /** Bytes that were out at that time. */
  readonly out: number
  readonly at: number
}

/** Closes connections whose other end does not take what was written to it. Ends with the server. */
export function closeStalled(
  server: Server,
  event: 'connection' | 'secureConnection',
  { unreadSeconds }: StallLimits,
): void {
  const sockets = new Set<Socket>()
  /** Of those for which something waits: when something of it was last taken. */
  const looks = new Map<Socket, Look>()

  server.on(event, (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      looks.delete(socket)
    })
  })

  const looking = setInterval(
    () => {
      const now = performance.now()
      for (const socket of sockets) look(socket, now)
    },
    Math.min(1000, unreadSeconds * 250),
  )
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
