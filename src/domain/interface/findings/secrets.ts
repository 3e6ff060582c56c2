import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import type { Findings } from './found.ts'

/** Values that are looked at, and how much of a long one. */
const MOST = 20_000
const LOOKED_AT = 4000

/** What real keys begin with; placeholders have no such length. */
const SECRETS: readonly RegExp[] = [
  /\bsk_live_[A-Za-z0-9]{16,}/,
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bxox[abpr]-[A-Za-z0-9-]{20,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
]

/** Contracts are read by every repository of a project; a key in an example is given away. */
export function lintSecrets(content: Json, findings: Findings): void {
  let left = MOST
  const walk = (value: Json | undefined, at: string): void => {
    if (--left < 0) return
    if (typeof value === 'string') {
      const text = value.slice(0, LOOKED_AT)
      if (text.length >= 16 && SECRETS.some((secret) => secret.test(text)))
        findings.add(
          'secret-in-example',
          at,
          'this looks like a real key; put a made-up one here, and change the real one',
        )
    } else if (Array.isArray(value))
      for (const [index, inner] of value.entries()) walk(inner, `${at}[${index}]`)
    else if (isJsonObject(value))
      for (const [key, inner] of Object.entries(value)) walk(inner, at === '' ? key : `${at}.${key}`)
  }
  walk(content, '')
}
