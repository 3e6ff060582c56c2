import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import type { Exchange } from './judge.ts'
import { MASKED, maskJson, maskText, maskUrl, maskValue } from './mask.ts'
import { type Content, contentOf, type Headers, isJsonMedia, mediaIn, NO_CONTENT } from './message.ts'

/** The HTTP Archive, version 1.2: as far as it is read here, and what is written. */

/** The exchange that an entry tells of; undefined of what is none, or never got anywhere. */
export function exchangeIn(entry: Json, bytesOf: (base64: string) => Uint8Array): Exchange | undefined {
  if (!isJsonObject(entry) || !isJsonObject(entry['request']) || !isJsonObject(entry['response']))
    return undefined
  const { request, response } = entry
  const { method, url } = request
  const { status } = response
  if (typeof method !== 'string' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  if (typeof status !== 'number' || status < 100 || status > 599) return undefined
  const { pathname, search } = new URL(url)
  const asked = headersIn(request['headers'])
  const answered = headersIn(response['headers'])
  return {
    asked: {
      method: method.toUpperCase(),
      path: pathname,
      query: new URLSearchParams(search),
      headers: asked,
      body: contentIn(request['postData'], asked, bytesOf),
    },
    answered: { status, headers: answered, body: contentIn(response['content'], answered, bytesOf) },
  }
}

/** Where an entry was sent. */
export function originIn(entry: Json): string | undefined {
  const url = isJsonObject(entry) && isJsonObject(entry['request']) ? entry['request']['url'] : undefined
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined
}

function headersIn(list: Json | undefined): Headers {
  const headers: Record<string, string[]> = Object.create(null)
  for (const one of Array.isArray(list) ? (list as readonly Json[]) : []) {
    if (!isJsonObject(one) || typeof one['name'] !== 'string' || typeof one['value'] !== 'string') continue
    const name = one['name'].toLowerCase()
    headers[name] = [...(headers[name] ?? []), one['value']]
  }
  return headers
}

function contentIn(
  given: Json | undefined,
  headers: Headers,
  bytesOf: (base64: string) => Uint8Array,
): Content {
  if (!isJsonObject(given)) return NO_CONTENT
  const { text, mimeType, encoding, size, params } = given
  const named = typeof mimeType === 'string' && mimeType !== '' ? mimeType : headers['content-type']?.[0]
  if (typeof text !== 'string' || text === '') {
    const isThere = (typeof size === 'number' && size > 0) || (Array.isArray(params) && params.length > 0)
    const media = mediaIn(named)
    return isThere ? { kind: 'unread', media, why: 'was not recorded', isLeftOut: true } : NO_CONTENT
  }
  if (encoding === 'base64') return contentOf(bytesOf(text), named)
  // A text in JSON has been decoded already, whatever charset it came in.
  return contentOf(new TextEncoder().encode(text), mediaIn(named))
}

/** An exchange as it went by, before it is written. */
export interface Passed {
  /** As ISO 8601. */
  readonly startedAt: string
  readonly millis: number
  readonly method: string
  /** From the first slash on. */
  readonly url: string
  readonly origin: string
  readonly requestHeaders: readonly string[]
  readonly status: number
  readonly statusText: string
  readonly answerHeaders: readonly string[]
}

/** Longest body that is written, in characters. */
const LONGEST = 64 * 1024

/** An entry without secrets; with bodies only where the route is known, because of others nobody knows what they hold. */
export function entryOf(passed: Passed, bodies: Exchange | undefined): Json {
  const { startedAt, millis, method, url, origin, status, statusText } = passed
  const query = [...new URLSearchParams(url.split(/\?(.*)/s, 2)[1] ?? '')]
  const postData = bodyText(bodies?.asked.body)
  const content = bodyText(bodies?.answered?.body)
  return {
    startedDateTime: startedAt,
    time: millis,
    request: {
      method,
      url: `${origin}${maskUrl(url)}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: maskedHeaders(passed.requestHeaders),
      queryString: query.map(([name, value]) => ({ name, value: maskValue(name, value) })),
      ...(postData === undefined ? {} : { postData }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status,
      statusText: maskText(statusText),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: maskedHeaders(passed.answerHeaders),
      content: { size: content?.text.length ?? 0, ...(content ?? { mimeType: '', text: '' }) },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: millis, receive: 0 },
  }
}

function maskedHeaders(raw: readonly string[]): Json {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, value: maskValue(name, raw[index + 1] ?? '') }] : [],
  )
}

/** JSON loses its secret fields; of a text only what looks like a secret can be found. */
function bodyText(body: Content | undefined): { mimeType: string; text: string } | undefined {
  if (body === undefined || body.kind === 'none') return undefined
  if (body.kind === 'unread') return { mimeType: body.media, text: MASKED }
  const isJson = body.kind === 'json' && isJsonMedia(body.media)
  const text = body.kind === 'json' ? JSON.stringify(maskJson(body.value)) : body.text
  if (text.length > LONGEST) return { mimeType: body.media, text: MASKED }
  return { mimeType: body.media, text: isJson ? text : maskText(text) }
}
