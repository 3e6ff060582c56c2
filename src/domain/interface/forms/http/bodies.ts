import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import type { Sender, Slot } from '../../model.ts'
import { keyOf } from '../../schema/source.ts'
import { type Content, locatedIn } from '../content.ts'

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
    const name = type.toLowerCase().replace(/\s*;.*$/, '')
    const entry = media[type]
    const schema = isJsonObject(entry) ? keyOf(entry, 'schema') : undefined
    const place = isPlainJson(name) ? at : `${at}(${name})`
    if (schema === undefined)
      content.findings.add('response-without-schema', place, 'no schema says what it holds; write one')
    return {
      at: place,
      sender,
      required,
      schema: schema === undefined ? null : locatedIn(content, schema, place),
      isChoice: true,
    }
  })
}

const isPlainJson = (type: string): boolean => type === 'application/json' || type === '*/*'
