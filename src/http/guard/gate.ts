import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'

export interface GateRules {
  /** Host names that this daemon goes by. Anything else is a web page that had its own name rebound to us. */
  hosts: ReadonlySet<string>
  /** Origins of web pages that may call; none unless configured. */
  origins: ReadonlySet<string>
}

/** Turns away whoever calls this daemon by a name that it does not go by. */
export function assertHost(headers: IncomingHttpHeaders, { hosts }: GateRules): void {
  const host = hostName(headers.host)
  if (host === undefined || !hosts.has(host))
    // What was sent is not repeated: somebody may have put a key there by mistake.
    throw new Fault('forbidden', 'Host: this is not a name of this daemon', {
      next: 'Call it by the URL that `cacpd status` prints',
    })
}

/**
 * Turns away what a browser could send on a foreign page's behalf, before a byte of the body is read.
 * A page that may call may also read the answer, whatever that will be.
 */
export function admitOrigin({ origin }: IncomingHttpHeaders, response: ServerResponse, rules: GateRules) {
  if (origin === undefined) return
  if (!rules.origins.has(origin)) throw foreignOrigin()
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
}

export const foreignOrigin = (): Fault =>
  new Fault('forbidden', 'Origin: pages from this origin may not call this daemon', {
    next: 'List the origin under allowedOrigins in config.json if you trust it',
  })

/** All of them as they came, names and values in one list: in `headers` the second of two hosts is missing. */
export function assertHeaders({ rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length > 2 * LIMITS.headers)
    throw new Fault('headers_too_large', `The request has more than ${LIMITS.headers} headers`)
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  // Whoever stands in front of us may have looked at the other one.
  if (hosts > 1)
    throw new Fault('bad_headers', 'Host: the request has more than one', { next: 'Send the header once' })
}

/** What a browser asks on behalf of a page before it lets that page call. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined

export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers':
      'authorization, content-type, x-agent-id, x-project-token, idempotency-key, last-event-id, a2a-version, a2a-extensions, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
  })
  response.end()
}

export function assertContentType(headers: IncomingHttpHeaders, expected: string): void {
  const { 'content-encoding': encoding = 'identity', 'content-type': type } = headers
  if (encoding !== 'identity')
    throw new Fault('unsupported_media_type', `Content-Encoding: ${encoding.slice(0, 50)} is not taken`, {
      next: 'Send the body as it is',
    })
  if (type === expected) return
  const given = type?.split(';', 1)[0]?.trim().toLowerCase()
  if (given === expected && expected === JSON_TYPE) assertUtf8(type)
  if (given === expected) return
  throw new Fault(
    'unsupported_media_type',
    `Content-Type: must be ${expected}, not ${(given ?? 'absent').slice(0, 100)}`,
    { next: `Send the header Content-Type: ${expected}` },
  )
}

const JSON_TYPE = 'application/json'
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

function assertUtf8(contentType = ''): void {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase()
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return
  throw new Fault(
    'unsupported_media_type',
    `Content-Type: only UTF-8 is read, not ${charset.slice(0, 50) || 'an empty charset'}`,
    { next: `Send the body in UTF-8, and the header Content-Type: ${JSON_TYPE}` },
  )
}

/** Undefined when it is no host with or without a port. */
export function hostName(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/.exec(host ?? '')
  return match?.[1]?.toLowerCase()
}
