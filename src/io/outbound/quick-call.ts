import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { jsonIn } from '../../protocol/json/in.ts'
import type { FoundDaemon } from '../place/find-daemon.ts'

export interface QuickCall {
  readonly method: string
  readonly params: object
}

/** As it came: nobody has looked into it. */
export interface QuickAnswer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly data?: { readonly kind?: unknown } }
}

const MOST_BYTES = 4 * 1024 * 1024

/**
 * Some calls to the daemon of this machine in one request, with nothing but what node brings along: for those who
 * have to be done before the client library has been loaded.
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
  const answers = jsonIn(await boundedText(response))
  if (!Array.isArray(answers)) throw new Error('The daemon gave no answer to a batch of calls')
  return calls.map((_, id) => (answers as QuickAnswer[]).find((answer) => answer.id === id) ?? {})
}

/** The key must not be sent to anyone else, so the certificate is looked at before. */
async function pinnedSocket(
  target: { host: string; port: number },
  certificate: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const { connect } = await import('node:tls')
  return await new Promise((resolve, reject) => {
    // It vouches for itself, and is known by its hash.
    const socket = connect({ ...target, rejectUnauthorized: false })
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.on('error', reject).once('secureConnect', () => {
      const shown = socket.getPeerCertificate().fingerprint256?.replaceAll(':', '').toLowerCase()
      if (shown !== undefined && shown === certificate) resolve(socket)
      else socket.destroy(new Error('The daemon shows another certificate than its own'))
    })
  })
}

/** All that comes; throws where that is more than anybody reads. */
export async function boundedText(source: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    size += (chunk as Buffer).length
    if (size > MOST_BYTES) throw new Error('More came than is read')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}
