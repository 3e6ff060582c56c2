import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { LIMITS } from '../../protocol/limits.ts'
import type { RpcHandler } from '../rpc/rpc.ts'
import { type ConnectionLimits, limitConnections, whenClosed } from './connections.ts'
import { closeStalled, type StallLimits } from './stalled.ts'

interface DoorLimits extends ConnectionLimits, StallLimits {
  /** How long a caller may take to send its headers, and to send all of its request. */
  readonly headerSeconds: number
  readonly requestSeconds: number
}

interface ListenOptions {
  host: string
  /** Tried in this order until one is free. */
  ports: readonly number[]
  limits: DoorLimits
  /** In PEM; calls then come over TLS only. */
  tls?: { readonly cert: string; readonly key: string } | undefined
}

/** A door that answers nothing yet: who we are depends on the port, so that comes first. */
export async function listen({ host, ports, limits, tls }: ListenOptions) {
  const options = {
    headersTimeout: limits.headerSeconds * 1000,
    requestTimeout: limits.requestSeconds * 1000,
    // What hangs is ended; this bounds how late that comes.
    connectionsCheckingInterval: Math.min(2000, limits.headerSeconds * 200),
    maxHeaderSize: LIMITS.headerBytes,
    keepAliveTimeout: 65_000,
  }
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({
          ...options,
          ...tls,
          minVersion: 'TLSv1.2',
          handshakeTimeout: limits.headerSeconds * 1000,
        })
  // All of them are looked at, where more than are allowed would be passed over in silence.
  server.maxHeadersCount = 0
  const connections = limitConnections(server, limits)
  closeStalled(server, tls === undefined ? 'connection' : 'secureConnection', limits)
  await listenAtFirstFree(server, host, ports)
  const inFlight = new Set<ServerResponse>()

  return {
    port: (server.address() as AddressInfo).port,
    trust: connections.trust,

    /** JSON-RPC goes straight to its handler; express sees the rest. A proxy may show both below a path. */
    serve(rpc: RpcHandler, app: Express, basePath = ''): void {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        inFlight.add(response)
        request.url = withoutBase(request.url, basePath)
        const forget = whenClosed(request.socket, () => {
          // To an answer that still waited behind another one nobody says that its connection has gone.
          response.destroy()
          response.emit('close')
        })
        response.once('close', () => {
          forget()
          inFlight.delete(response)
          if (!request.complete) lingerAfter(request)
        })
        if (request.method === 'POST' && isRoot(request.url)) rpc(request, response)
        else app(request, response)
      })
    },

    /** Lets what is in flight finish, for at most this long. */
    async close(graceMs: number): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // An answer that keeps its connection alive would be waited for until the caller leaves.
      const letBeLast = (response: ServerResponse) => {
        response.shouldKeepAlive = false
        response.once('close', () => server.closeIdleConnections())
      }
      for (const response of inFlight) letBeLast(response)
      server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) =>
        letBeLast(response),
      )
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
      // A callback of `listen` would stay behind at every port that is taken.
      const listening = once(server, 'listening')
      server.listen(port, host)
      await listening
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

/** The address of a request as it is without the proxy; some proxies take the path away themselves. */
function withoutBase(url = '', basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : url
}

const isRoot = (url = ''): boolean => url === '/' || url.startsWith('/?')

/** Enough for whoever has not noticed yet that the answer is there; more is an attempt to keep us busy. */
const LINGER_BYTES = 1024 * 1024
const LOOK_MILLIS = 20

/**
 * Takes what is still coming of a request that was answered already. Without that its sender would see a broken
 * connection in the place of the answer; without the bound it could go on for ever. The stream itself tells nothing
 * any more, so its connection is looked at now and then.
 */
function lingerAfter(request: IncomingMessage): void {
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
