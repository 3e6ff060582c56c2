import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import type { Slot } from '../../model.ts'
import { located } from '../../schema/source.ts'
import { entriesOf } from '../content.ts'

const ANY = located({ type: 'string' })

/** Ways to sign in are choices of the caller: one less narrows, one more does not. Scopes are demands. */
export function securitySlots(security: Json | undefined, schemes: Json | undefined): Slot[] {
  const ways = Array.isArray(security) ? (security as readonly Json[]).filter(isJsonObject) : []
  const defined = new Map(entriesOf(schemes))
  const nameOf = (name: string): string => schemeWords(name, defined.get(name))
  const texts = ways.map((way) => Object.keys(way).map(nameOf).sort().join(' and ') || 'none')
  const tokens = tokensIn(ways, defined)
  const slots: Slot[] = [
    {
      at: 'security',
      ...(tokens === '' ? {} : { beside: { tokens } }),
      sender: 'consumer',
      required: true,
      // Where nothing is demanded, it does not matter what is sent.
      schema:
        texts.length === 0 || texts.includes('none') ? ANY : located({ enum: [...new Set(texts)].sort() }),
    },
  ]
  for (const way of ways)
    for (const [name, scopes] of entriesOf(way))
      for (const scope of Array.isArray(scopes) ? (scopes as readonly Json[]) : [])
        slots.push({
          at: `security.${nameOf(name)}.${String(scope)}`,
          sender: 'consumer',
          required: true,
          schema: null,
          isBurden: true,
        })
  return slots
}

/** Where tokens come from: that it changed is seen, but not whom it hurts. */
function tokensIn(ways: readonly JsonObject[], defined: ReadonlyMap<string, Json>): string {
  const used = new Set(ways.flatMap((way) => Object.keys(way)))
  const words = [...used].flatMap((name) => {
    const scheme = defined.get(name)
    if (!isJsonObject(scheme)) return []
    const flows = entriesOf(scheme['flows']).map(([kind, flow]) => {
      const urls = isJsonObject(flow) ? [flow['authorizationUrl'], flow['tokenUrl'], flow['refreshUrl']] : []
      return [kind, ...urls.filter((url) => typeof url === 'string')].join(' ')
    })
    const { openIdConnectUrl } = scheme
    return typeof openIdConnectUrl === 'string' ? [...flows, openIdConnectUrl] : flows
  })
  return words.sort().join('; ')
}

/** What a scheme is, whatever it is called. */
function schemeWords(name: string, scheme: Json | undefined): string {
  if (!isJsonObject(scheme)) return name
  const { type, scheme: kind, in: place, name: key } = scheme
  return [type, kind, place, key].filter((word) => typeof word === 'string').join(' ') || name
}
