import type { IncomingMessage } from 'node:http'

/** Enough for whoever has not noticed yet that the answer is there; more is an attempt to keep us busy. */
const LINGER_BYTES = 1024 * 1024
const LOOK_MILLIS = 20

/**
 * Takes what is still coming of a request that was answered already. Without that its sender would see a broken
 * connection in the place of the answer; without the bound it could go on for ever. The stream itself tells nothing
 * any more, so its connection is looked at now and then.
 */
export function lingerAfter(request: IncomingMessage): void {
  // There is none any more if the request was broken off.
  const socket = request.socket as IncomingMessage['socket'] | null
  if (socket === null || socket.destroyed) return
  const { bytesRead } = socket
  const look = setInterval(() => {
    const isOver = request.complete || socket.destroyed
    if (!isOver && socket.bytesRead - bytesRead > LINGER_BYTES) socket.destroy()
    if (isOver || socket.destroyed) clearInterval(look)
  }, LOOK_MILLIS)
  look.unref()
}
