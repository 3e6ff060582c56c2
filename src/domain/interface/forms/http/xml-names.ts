import { canonicalText } from '../../../../protocol/json/canonical.ts'
import { isJsonObject, type Json } from '../../../../protocol/json/json.ts'
import { type Budget, WORK } from '../../budget.ts'
import { keyOf, type Located, targetOf } from '../../schema/source.ts'

/** Schemas that are looked at in one body. */
const MOST = 500

/** How the parts of a body are called and nested where it is written as XML, one line for each that says so. */
export function xmlNames({ schema, document }: Located, budget: Budget): string {
  const names: string[] = []
  const seen = new Set<Json>()
  const walk = (value: Json | undefined, at: string): void => {
    if (!isJsonObject(value) || seen.has(value) || seen.size >= MOST) return
    seen.add(value)
    budget.spend(WORK.value)
    const ref = value['$ref']
    if (typeof ref === 'string') walk(targetOf(ref, document), at)
    const xml = value['xml']
    if (xml !== undefined) names.push(`${at} ${canonicalText(xml)}`)
    const properties = value['properties']
    if (isJsonObject(properties))
      for (const name of Object.keys(properties)) walk(properties[name], `${at}.${name}`)
    walk(value['items'], `${at}[]`)
    for (const key of ['allOf', 'anyOf', 'oneOf']) {
      const branches = keyOf(value, key)
      if (Array.isArray(branches)) for (const branch of branches as readonly Json[]) walk(branch, at)
    }
  }
  walk(schema, '')
  return names.sort().join('\n')
}
