import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly next = 'Choose another --port, or leave it out to take any free one'
}

/** Listens on the loopback interface; answers the address. */
export function listenLocally(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new ListenError(`Nothing can listen at port ${port} of this machine (${code ?? 'unknown'})`)),
    )
    server.listen(port, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}

/** Ends connections too, because whoever keeps one open would keep this waiting. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
