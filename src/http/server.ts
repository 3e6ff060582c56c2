import { createServer, type Server, type ServerResponse } from 'node:http'
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

export interface Door {
  readonly port: number
  /** JSON-RPC goes straight to its handler; express sees the rest. */
  serve(rpc: RpcHandler, app: Express): void
  /** Lets what is in flight finish, for at most this long. */
  close(graceMs: number): Promise<void>
}

/** A door that answers nothing yet: who we are depends on the port, so that comes first. */
export async function listen({ host, ports }: ListenOptions): Promise<Door> {
  const server = createServer({ ...TIMEOUTS, maxHeaderSize: 16 * 1024, keepAliveTimeout: 65_000 })
  await listenAtFirstFree(server, host, ports)
  const inFlight = new Set<ServerResponse>()

  return {
    port: (server.address() as AddressInfo).port,

    serve(rpc, app) {
      server.on('request', (request, response) => {
        inFlight.add(response)
        response.once('close', () => inFlight.delete(response))
        if (request.method === 'POST' && isRoot(request.url)) rpc(request, response)
        else app(request, response)
      })
    },

    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // An answer that keeps its connection alive would be waited for until the caller leaves.
      const letBeLast = (response: ServerResponse) => {
        response.shouldKeepAlive = false
        response.once('close', () => server.closeIdleConnections())
      }
      for (const response of inFlight) letBeLast(response)
      server.prependListener('request', (_request, response) => letBeLast(response))
      server.closeIdleConnections()
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(cutOff)
    },
  }
}

async function listenAtFirstFree(server: Server, host: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.removeListener('error', reject)
          resolve()
        })
      })
      return
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

const isRoot = (url = ''): boolean => url === '/' || url.startsWith('/?')
