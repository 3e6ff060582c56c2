import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Another server on this machine, with an empty page, that writes down which requests it gets. */
export interface Listener extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly IncomingMessage[]
}

export async function openListener(): Promise<Listener> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>empty</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
