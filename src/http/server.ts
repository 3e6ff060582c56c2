import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import type { RpcHandler } from './rpc.ts'

/** Intervals that end what hangs. The checking interval bounds how late the other two fire. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 }

export interface ListenOptions {
  host: string
  /** Tried in this order until one is free. */
  ports: readonly number[]
}

/** A listening server that answers nothing yet: who we are depends on the port, so that comes first. */
export async function listen({ host, ports }: ListenOptions): Promise<{ server: Server; port: number }> {
  const server = createServer({ ...TIMEOUTS, maxHeaderSize: 16 * 1024, keepAliveTimeout: 65_000 })
  for (const port of ports) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.removeListener('error', reject)
          resolve()
        })
      })
      return { server, port: (server.address() as AddressInfo).port }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error(
    ports.length === 1
      ? `Port ${ports[0]} of ${host} is taken. Stop what listens there, or choose another with --port`
      : `All ports from ${ports[0]} to ${ports.at(-1)} of ${host} are taken. Choose one with --port`,
  )
}

/** JSON-RPC goes straight to its handler; express sees the rest. */
export function serve(server: Server, rpc: RpcHandler, app: Express): void {
  server.on('request', (request, response) => {
    if (request.method === 'POST' && request.url === '/') rpc(request, response)
    else app(request, response)
  })
}

/** Lets what is in flight finish, for at most this long. */
export async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cutOff)
}
