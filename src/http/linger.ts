import type { IncomingMessage } from 'node:http'

/** Enough for whoever has not noticed yet that the answer is there; more is an attempt to keep us busy. */
const LINGER_BYTES = 1024 * 1024

/**
 * Takes what is still coming of a request that was answered already. Without that its sender would see a broken
 * connection in the place of the answer; without the bound it could go on for ever.
 */
export function lingerAfter(request: IncomingMessage): void {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > LINGER_BYTES) request.socket.destroy()
  })
}
