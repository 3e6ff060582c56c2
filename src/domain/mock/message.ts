import { jsonIn } from '../../protocol/json/in.ts'
import { isShallow, type Json } from '../../protocol/json/json.ts'

/** A request as it came in. */
export interface Asked {
  readonly method: string
  /** As it stands in the request, without what comes after `?`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Content
}

/** What came back. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Content
}

/** By their names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** A body, as far as it could be read. */
export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly media: string; readonly value: Json }
  | { readonly kind: 'text'; readonly media: string; readonly text: string }
  /** `isLeftOut`: nobody looked at it. Otherwise it is not what it says it is. */
  | { readonly kind: 'unread'; readonly media: string; readonly why: string; readonly isLeftOut: boolean }

export const NO_CONTENT: Content = { kind: 'none' }

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const found = headers[name]
  return typeof found === 'string' ? found : found?.[0]
}

/** What is deeper nobody means. */
const DEEPEST = 64

/** What bytes mean that came with a `content-type`; they are not compressed any more. */
export function contentOf(bytes: Uint8Array, type: string | undefined): Content {
  if (bytes.length === 0) return NO_CONTENT
  const media = mediaIn(type)
  const isText = media.startsWith('text/')
  if (media !== '' && !isText && !isJsonMedia(media))
    return { kind: 'unread', media, why: 'only JSON and text are looked at', isLeftOut: true }
  const text = textIn(bytes, type)
  if (text === undefined) return { kind: 'unread', media, why: 'is in no known charset', isLeftOut: false }
  if (isText) return { kind: 'text', media, text }
  const value = jsonIn(text)
  if (value !== undefined && isShallow(value, DEEPEST))
    return { kind: 'json', media: media === '' ? 'application/json' : media, value: value as Json }
  return media === ''
    ? { kind: 'text', media: 'text/plain', text }
    : { kind: 'unread', media, why: 'is no JSON', isLeftOut: false }
}

export const mediaIn = (type: string | undefined): string =>
  (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

export const isJsonMedia = (media: string): boolean => /^application\/(?:.+\+)?json$|^text\/json$/.test(media)

function textIn(bytes: Uint8Array, type = ''): string | undefined {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type) ?? []
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
