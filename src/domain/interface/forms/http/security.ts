import { getOrAdd } from '../../../../protocol/collections/get-or-add.ts'
import { canonicalText } from '../../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import { type Budget, WORK } from '../../budget.ts'
import type { Slot } from '../../model.ts'
import { located } from '../../schema/source.ts'
import { entriesOf } from '../content.ts'

const ANY = located({ type: 'string' })

/**
 * Ways to sign in are choices of the caller: one less narrows, one more does not. What a way demands (scopes) and where
 * its tokens come from matters to those who use it, so that it is compared where a way is on both sides.
 */
export function securitySlots(security: Json | undefined, schemes: Json | undefined, budget: Budget): Slot[] {
  const ways = Array.isArray(security) ? (security as readonly Json[]).filter(isJsonObject) : []
  for (const way of ways) budget.spend(scopesIn(way).length * WORK.value)
  const defined = new Map(entriesOf(schemes))
  const byWords = new Map<string, JsonObject[]>()
  for (const way of ways) getOrAdd(byWords, wayWords(way, defined), () => []).push(way)
  // Where nothing is demanded, it does not matter what is sent.
  const isOpen = ways.length === 0 || byWords.has('none')
  const schema = isOpen ? ANY : located({ enum: [...byWords.keys()].sort() })
  const slots: Slot[] = [{ at: 'security', sender: 'consumer', required: true, schema }]
  if (!isOpen) for (const [words, same] of byWords) slots.push(demandOf(words, same, defined))
  return slots
}

const wayWords = (way: JsonObject, defined: ReadonlyMap<string, Json>): string =>
  Object.keys(way)
    .map((name) => schemeWords(name, defined.get(name)))
    .sort()
    .join(' and ') || 'none'

/** What a scheme is, whatever it is called. */
function schemeWords(name: string, scheme: Json | undefined): string {
  if (!isJsonObject(scheme)) return name
  const { type, scheme: kind, in: place, name: key } = scheme
  return [type, kind, place, key].filter((word) => typeof word === 'string').join(' ') || name
}

/** What one way demands; where it is there several times, what all of them demand, and the rest as text. */
function demandOf(words: string, ways: readonly JsonObject[], defined: ReadonlyMap<string, Json>): Slot {
  const scopes = ways.map(scopesIn)
  const [first = [], ...more] = scopes
  const others = more.map((some) => new Set(some))
  const required = first.filter((scope) => others.every((some) => some.has(scope)))
  const tokens = ways.flatMap((way) => tokensIn(way, defined))
  return {
    at: `security.${words}`,
    sender: 'consumer',
    required: false,
    schema: located({ type: 'object', required }),
    isBurden: true,
    beside: {
      ...(more.length === 0 ? {} : { scopes: canonicalText(scopes.map(canonicalText).sort()) }),
      ...(tokens.length === 0 ? {} : { tokens: tokens.sort().join('; ') }),
    },
  }
}

const scopesIn = (way: JsonObject): string[] =>
  entriesOf(way)
    .flatMap(([, scopes]) => (Array.isArray(scopes) ? (scopes as readonly Json[]) : []))
    .map(String)
    .sort()

/** Where tokens come from: that it changed is seen, but not whom it hurts. */
function tokensIn(way: JsonObject, defined: ReadonlyMap<string, Json>): string[] {
  return Object.keys(way).flatMap((name) => {
    const scheme = defined.get(name)
    if (!isJsonObject(scheme)) return []
    const flows = entriesOf(scheme['flows']).map(([kind, flow]) => {
      const urls = isJsonObject(flow) ? [flow['authorizationUrl'], flow['tokenUrl'], flow['refreshUrl']] : []
      return [kind, ...urls.filter((url) => typeof url === 'string')].join(' ')
    })
    const { openIdConnectUrl } = scheme
    return typeof openIdConnectUrl === 'string' ? [...flows, openIdConnectUrl] : flows
  })
}
