import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** Takes a port, answers every path with one document, and keeps every byte that it is sent. */
export async function takePort(port: number, documents: (path: string) => string) {
  const seen: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      seen.push(data.toString())
      const text = documents(data.toString().split(' ')[1] ?? '')
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    seen,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
