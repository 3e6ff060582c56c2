import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Passes on the wish for another protocol. Once both sides agree on it, no contract speaks of what goes by. */
export function passUpgrade(outgoing: ClientRequest, socket: Duplex, head: Buffer): void {
  const end = () => {
    socket.destroy()
    outgoing.destroy()
  }
  const headOf = ({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage) => {
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    )
    return `${[`HTTP/${httpVersion} ${statusCode} ${statusMessage}`, ...lines].join('\r\n')}\r\n\r\n`
  }
  outgoing.on('upgrade', (answer, other, first) => {
    socket.write(headOf(answer))
    socket.write(first)
    other.write(head)
    other.pipe(socket).pipe(other)
    other.on('error', end)
    other.on('close', end)
  })
  outgoing.on('response', (answer) => {
    socket.write(headOf(answer))
    answer.pipe(socket)
  })
  outgoing.on('error', end)
  socket.on('error', end)
  socket.on('close', end)
  outgoing.end()
}
