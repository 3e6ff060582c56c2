import { canonicalText } from '../../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import { type Budget, WORK } from '../../budget.ts'
import type { Slot } from '../../model.ts'
import { keyOf, type Located, targetOf } from '../../schema/source.ts'
import { unknownParts } from '../annotations.ts'
import { type Content, deref, entriesOf, locatedIn, textsOf } from '../content.ts'

type BodyPlace = Pick<Slot, 'at' | 'sender' | 'required'> & { readonly content: Content }

/** The slots of a body: one for each media type where those are told, else one. */
export function addBody(slots: Slot[], body: Json, place: BodyPlace): void {
  const media = mediaOf(body)
  const { at, sender, required, content } = place
  if (media === undefined) slots.push({ at, sender, required, schema: locatedIn(content, body, at) })
  else for (const type of Object.keys(media)) slots.push(mediaSlot(type, media[type], place))
}

export function mediaOf(body: Json | undefined): JsonObject | undefined {
  const media = isJsonObject(body) ? body['content'] : undefined
  const isMedia = isJsonObject(media) && Object.keys(media).every((type) => type.includes('/'))
  return isMedia ? media : undefined
}

/** JSON is what everybody means; other media types are choices beside it. */
function mediaSlot(
  type: string,
  entry: Json | undefined,
  { at, sender, required, content }: BodyPlace,
): Slot {
  const name = type === JSON_TYPE ? type : (type.toLowerCase().split(';', 1)[0] ?? '').trimEnd()
  const schema = isJsonObject(entry) ? entry['schema'] : undefined
  const place = name === JSON_TYPE || name === '*/*' ? at : `${at}(${name})`
  if (schema === undefined)
    content.findings.add('response-without-schema', place, 'no schema says what it holds; write one')
  const located = schema === undefined ? null : locatedIn(content, schema, place)
  const xml = located !== null && name.endsWith('xml') ? xmlNames(located, content.budget) : ''
  const beside = besideSchema(entry, content)
  return {
    at: place,
    sender,
    required,
    schema: located,
    isChoice: true,
    beside: xml === '' ? beside : { ...beside, xml },
    examples: isJsonObject(entry) ? examplesIn(entry, content) : undefined,
  }
}

const JSON_TYPE = 'application/json'

/** What stands under `example` has no name. */
function examplesIn({ example, examples }: JsonObject, content: Content): Slot['examples'] {
  if (example === undefined && examples === undefined) return undefined
  const named = entriesOf(examples).flatMap(([name, one]) => {
    const value = deref(one, content)?.['value']
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(example === undefined ? named : [['', example], ...named])
}

const OF_MEDIA = new Set(['schema', 'example', 'examples'])

/** How parts of a form are written, and whatever else is said of a media type. */
function besideSchema(entry: Json | undefined, content: Content): Slot['beside'] {
  const parts = isJsonObject(entry) ? unknownParts(entry, OF_MEDIA, { at: '', sender: 'both' }) : []
  return parts.length === 0 ? undefined : textsOf(parts, content)
}

/** Schemas that are looked at in one body. */
const MOST = 500

/** How the parts of a body are called and nested where it is written as XML, one line for each that says so. */
function xmlNames({ schema, document }: Located, budget: Budget): string {
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
