import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import type { Findings } from './found.ts'

/** Values that are looked at, and how much of a long one. */
const MOST = 20_000
const LOOKED_AT = 4000
const SHORTEST = 16

/** What real keys begin with; placeholders have no such length. */
export const SECRET = new RegExp(
  [
    String.raw`\bsk_live_[A-Za-z0-9]{16,}`,
    String.raw`\bsk-[A-Za-z0-9_-]{20,}`,
    String.raw`\bAKIA[A-Z0-9]{16}\b`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{30,}`,
    String.raw`\bxox[abpr]-[A-Za-z0-9-]{20,}`,
    // Begins where such a piece begins, so that each is looked at once.
    String.raw`(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
    '-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----',
  ].join('|'),
)

/** Contracts are read by every repository of a project; a key in an example is given away. */
export function lintSecrets(content: Json, findings: Findings): void {
  /** Keys and indexes from the outside in: a place becomes text only where something is found. */
  const place: (string | number)[] = []
  let left = MOST
  walk(content)

  function walk(value: Json | undefined): void {
    if (--left < 0) return
    if (typeof value === 'string') look(value)
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) inside(index, value[index] as Json)
    } else if (isJsonObject(value)) for (const key of Object.keys(value)) inside(key, value[key])
  }

  function inside(step: string | number, value: Json | undefined): void {
    if (typeof value === 'string' && value.length < SHORTEST) {
      left--
      return
    }
    place.push(step)
    walk(value)
    place.pop()
  }

  function look(text: string): void {
    if (text.length < SHORTEST || !SECRET.test(text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text))
      return
    const say = 'this looks like a real key; put a made-up one here, and change the real one'
    findings.add('secret-in-example', placeText(), say)
  }

  function placeText(): string {
    let at = ''
    for (const step of place) at += typeof step === 'number' ? `[${step}]` : at === '' ? step : `.${step}`
    return at
  }
}
