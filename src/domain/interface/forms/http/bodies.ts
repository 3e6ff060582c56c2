import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import type { Sender, Slot } from '../../model.ts'
import { keyOf } from '../../schema/source.ts'
import { unknownParts } from '../annotations.ts'
import { type Content, locatedIn, textsOf } from '../content.ts'
import { xmlNames } from './xml-names.ts'

export interface BodyPlace {
  readonly at: string
  readonly sender: Sender
  readonly required: boolean
}

/** The slots of a body: one for each media type where those are told, else one. */
export function bodySlots(body: Json, place: BodyPlace, content: Content): Slot[] {
  const media = mediaOf(body)
  if (media !== undefined) return mediaSlots(media, place, content)
  const { at, sender, required } = place
  return [{ at, sender, required, schema: locatedIn(content, body, at) }]
}

export function mediaOf(body: Json | undefined): JsonObject | undefined {
  const media = isJsonObject(body) ? keyOf(body, 'content') : undefined
  const isMedia = isJsonObject(media) && Object.keys(media).every((type) => type.includes('/'))
  return isMedia ? media : undefined
}

/** JSON is what everybody means; other media types are choices beside it. */
export function mediaSlots(media: JsonObject, { at, sender, required }: BodyPlace, content: Content): Slot[] {
  return Object.keys(media).map((type) => {
    const name = (type.toLowerCase().split(';', 1)[0] ?? '').trimEnd()
    const entry = media[type]
    const schema = isJsonObject(entry) ? keyOf(entry, 'schema') : undefined
    const place = isPlainJson(name) ? at : `${at}(${name})`
    if (schema === undefined)
      content.findings.add('response-without-schema', place, 'no schema says what it holds; write one')
    const located = schema === undefined ? null : locatedIn(content, schema, place)
    const xml = located !== null && name.endsWith('xml') ? xmlNames(located) : ''
    const beside = { ...besideSchema(entry, content), ...(xml === '' ? {} : { xml }) }
    return { at: place, sender, required, schema: located, isChoice: true, beside }
  })
}

const OF_MEDIA = new Set(['schema', 'example', 'examples'])

/** How parts of a form are written, and whatever else is said of a media type. */
const besideSchema = (entry: Json | undefined, content: Content): NonNullable<Slot['beside']> =>
  isJsonObject(entry) ? textsOf(unknownParts(entry, OF_MEDIA, { at: '', sender: 'both' }), content) : {}

const isPlainJson = (type: string): boolean => type === 'application/json' || type === '*/*'
