import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type EncryptedServer, encryptedServer } from './encrypted-server.ts'

export interface ProxyOptions {
  /** Where it shows the daemon, such as `/backend`. */
  readonly path: string
  /** Whether it takes that path away before it asks the daemon. */
  readonly isStripping: boolean
  /** Whether it tells the daemon by which name it was called. */
  readonly keepsHost: boolean
}

/** A small reverse proxy with TLS. Set `daemon.url` once the daemon is there: the daemon has to know the proxy first. */
export async function reverseProxy(
  options: ProxyOptions,
): Promise<EncryptedServer & { daemon: { url: string } }> {
  const daemon = { url: '' }
  const server = await encryptedServer((incoming, outgoing) => {
    if (incoming.url?.startsWith(`${options.path}/`) !== true) outgoing.writeHead(404).end()
    else handOn(incoming, outgoing, daemon.url, options)
  })
  return Object.assign(server, { daemon })
}

function handOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: string,
  options: ProxyOptions,
): void {
  const { path, isStripping, keepsHost } = options
  const { method, headers, url: asked = '' } = incoming
  const { hostname, port, host } = new URL(url)
  const upstream = request(
    {
      hostname,
      port,
      method,
      path: isStripping ? asked.slice(path.length) : asked,
      headers: {
        ...headers,
        host: keepsHost ? headers.host : host,
        'x-forwarded-for': incoming.socket.remoteAddress,
        'x-forwarded-proto': 'https',
      },
    },
    (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      outgoing.flushHeaders()
      reply.pipe(outgoing)
    },
  )
  upstream.on('error', () => outgoing.destroy())
  outgoing.on('close', () => upstream.destroy())
  incoming.pipe(upstream)
}
