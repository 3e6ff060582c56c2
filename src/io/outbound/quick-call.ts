import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { jsonIn } from '../../protocol/json/in.ts'
import type { FoundDaemon } from '../place/find-daemon.ts'
import { readText } from './read-body.ts'

export interface QuickCall {
  readonly method: string
  readonly params: object
}

/** As it came: its shape has not been checked. */
export interface QuickAnswer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly data?: { readonly kind?: unknown } }
}

const MOST_BYTES = 4 * 1024 * 1024

/**
 * Sends calls to the daemon of this machine in one request, with nothing but what node brings along: hooks and shell
 * completion have to be done before undici, which other requests go through, would be loaded.
 */
export async function callQuickly(
  { endpoint, key }: FoundDaemon,
  calls: readonly QuickCall[],
  signal: AbortSignal,
): Promise<readonly QuickAnswer[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const { hostname, port, protocol } = new URL(endpoint.url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secured =
    protocol === 'https:'
      ? await pinnedSocket({ host, port: Number(port) }, endpoint.certificate, signal)
      : undefined
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      {
        ...(secured === undefined ? { host, port } : { createConnection: () => secured }),
        method: 'POST',
        path: '/',
        headers: {
          host: `${hostname}:${port}`,
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          connection: 'close',
        },
        signal,
      },
      resolve,
    )
    sent.on('error', reject).end(body)
  })
  const answers = jsonIn(await readText(response, MOST_BYTES))
  if (!Array.isArray(answers)) throw new Error('The daemon gave no answer to a batch of calls')
  return calls.map((_, id) => (answers as QuickAnswer[]).find((answer) => answer.id === id) ?? {})
}

/** A connection on which the daemon has shown its own certificate, so that nobody else gets the key. */
async function pinnedSocket(
  target: { host: string; port: number },
  certificate: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const { connect } = await import('node:tls')
  return await new Promise((resolve, reject) => {
    // No authority vouches for the certificate; the daemon is known by its hash.
    const socket = connect({ ...target, rejectUnauthorized: false })
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.on('error', reject).once('secureConnect', () => {
      const shown = socket.getPeerCertificate().fingerprint256?.replaceAll(':', '').toLowerCase()
      if (shown !== undefined && shown === certificate) resolve(socket)
      else socket.destroy(new Error('The daemon shows another certificate than its own'))
    })
  })
}
