import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { OpaquePart, Operation, Sender } from '../model.ts'

/** What is written for people only: whatever changes in it, nothing changes between the two sides. */
const FOR_PEOPLE = new Set(
  `description summary title notes note comment comments example examples tags tag operationId externalDocs deprecated
  version owner owners name purpose motivation rationale status_note changelog author info contact license id $id
  $schema $comment since documentation docs links doc reason displayName types models definitions schemas $defs components
  request_example response_example`.split(/\s+/),
)

const isForPeople = (key: string): boolean => FOR_PEOPLE.has(key) || key.startsWith('x-')

/** What nobody looked at: it has to stay equal, or nobody knows what the change means. */
export function unknownParts(
  value: JsonObject,
  known: ReadonlySet<string>,
  { at, sender }: { at: string; sender: Sender },
): OpaquePart[] {
  const parts: OpaquePart[] = []
  for (const key of Object.keys(value))
    if (!known.has(key) && !isForPeople(key))
      parts.push({ at: at === '' ? key : `${at}.${key}`, sender, value: value[key] ?? null })
  return parts
}

/** Of keys that mean the same only the first is read; what stands under the others was not looked at. */
export function unusedParts(
  value: JsonObject,
  groups: readonly (readonly string[])[],
  { at, sender }: { at: string; sender: Sender },
): OpaquePart[] {
  const parts: OpaquePart[] = []
  for (const keys of groups) {
    let isRead = false
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue
      if (isRead) parts.push({ at: at === '' ? key : `${at}.${key}`, sender, value: value[key] ?? null })
      isRead = true
    }
  }
  return parts
}

/** What stands around several operations and concerns all of them. */
export const aroundAll = (value: JsonObject, known: ReadonlySet<string>): Operation[] => {
  const opaque = unknownParts(value, known, { at: '', sender: 'both' })
  return opaque.length === 0 ? [] : [{ key: '(all)', prefix: '', sender: 'both', slots: [], opaque }]
}

export const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''

export const hasOnly = (value: Json | undefined, keys: ReadonlySet<string>): value is JsonObject =>
  isJsonObject(value) &&
  Object.keys(value).every((key) => keys.has(key) || isForPeople(key)) &&
  Object.keys(value).some((key) => keys.has(key))
