import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { SECRET } from '../interface/findings/secrets.ts'

/** What is written or kept of traffic has no secrets in it: neither by what they are called nor by what they look like. */
export const MASKED = '(masked)'

const NAME =
  /authorization|cookie|token|secret|passw|pwd|passcode|api[-_]?key|private[-_]?key|session|credential|jwt|csrf|xsrf|signature|bearer/i
const LOOKS = new RegExp(
  [
    SECRET.source,
    String.raw`(?<=\b(?:Bearer|Basic|Token)\s{1,5})[\w.~+/=-]{6,}`,
    String.raw`(?<=:\/\/)[^\s/:@]{1,200}:[^\s/@]{1,200}(?=@)`,
    String.raw`(?<=\b(?:[\w-]{0,40}(?:token|secret|password|passwd|api[-_]?key|session|signature))["']?\s{0,5}[=:]\s{0,5}["']?)[^\s"'&;,}]{4,}`,
  ].join('|'),
  'gi',
)

export const isSecretName = (name: string): boolean => NAME.test(name.slice(0, 200))

/** A text without what looks like a secret. */
export const maskText = (text: string): string => text.replaceAll(LOOKS, MASKED)

export const maskValue = (name: string, value: string): string =>
  isSecretName(name) ? MASKED : maskText(value)

/** A JSON value without the fields that are called like secrets, and without texts that look like them. */
export function maskJson(value: Json): Json {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return (value as readonly Json[]).map(maskJson)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, inner]) => [
      name,
      isSecretName(name) && inner !== null && typeof inner !== 'boolean' ? MASKED : maskJson(inner ?? null),
    ]),
  )
}

/** A path with its query. */
export function maskUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2)
  if (query === undefined) return maskText(path)
  const parts = query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=')
    return value.length === 0 ? maskText(part) : `${name}=${maskValue(name, value.join('='))}`
  })
  return `${maskText(path)}?${parts.join('&')}`
}
