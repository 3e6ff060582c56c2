import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { OpaquePart, Operation, Sender, Slot } from '../model.ts'
import { wordSet } from '../word-set.ts'

/** What is written for people only: whatever changes in it, nothing changes between the two sides. */
const FOR_PEOPLE =
  wordSet(`description summary title notes note comment comments example examples tags tag operationId externalDocs
  deprecated version owner owners name purpose motivation rationale status_note changelog author info contact
  license id $id $schema $comment since documentation docs links doc reason displayName types models definitions
  schemas $defs components request_example response_example`)

const isForPeople = (key: string): boolean => FOR_PEOPLE.has(key) || key.startsWith('x-')

interface Where {
  readonly at: string
  readonly sender: Sender
}

const partAt = (value: JsonObject, key: string, { at, sender }: Where): OpaquePart => ({
  at: at === '' ? key : `${at}.${key}`,
  sender,
  value: value[key] ?? null,
})

/** What nobody looked at: it has to stay equal, or nobody knows what the change means. */
export function unknownParts(value: JsonObject, known: ReadonlySet<string>, where: Where): OpaquePart[] {
  const parts: OpaquePart[] = []
  for (const key of Object.keys(value))
    if (!known.has(key) && !isForPeople(key)) parts.push(partAt(value, key, where))
  return parts
}

/**
 * What nobody looked at, of an object whose known keys are these, in groups that mean the same: what stands under other
 * keys, and under those of which another one that means the same was read.
 */
export function unreadBeside(groups: readonly (readonly string[])[]) {
  const groupOf = new Map(groups.flatMap((keys) => keys.map((key) => [key, keys] as const)))
  return (value: JsonObject, where: Where): OpaquePart[] => {
    const parts: OpaquePart[] = []
    for (const key of Object.keys(value)) {
      const group = groupOf.get(key)
      if (group === undefined ? !isForPeople(key) : group.length > 1 && isSecond(value, key, group))
        parts.push(partAt(value, key, where))
    }
    return parts
  }
}

/** Of keys that mean the same the first is read. */
function isSecond(value: JsonObject, key: string, group: readonly string[]): boolean {
  for (const other of group) {
    if (other === key) return false
    if (value[other] !== undefined) return true
  }
  return false
}

/** What stands around several operations and concerns all of them. */
export const aroundAll = (value: JsonObject, known: ReadonlySet<string>): Operation[] =>
  besideAll('(all)', unknownParts(value, known, { at: '', sender: 'both' }))

/** What is no operation, but has to stay equal as if it were one. */
export const besideAll = (key: string, opaque: readonly OpaquePart[]): Operation[] =>
  opaque.length === 0 ? [] : [wholeOperation(key, [], opaque)]

/** All of a contract, which both sides send. */
export const wholeOperation = (
  key: string,
  slots: readonly Slot[],
  opaque: readonly OpaquePart[],
): Operation => ({ key, prefix: '', sender: 'both', slots, opaque })

/** An operation that nobody can read. */
export const opaqueOperation = (key: string, value: Json, sender: Sender = 'both'): Operation => ({
  key,
  prefix: `${key}: `,
  sender,
  slots: [],
  opaque: [{ at: 'operation', sender: 'both', value }],
})

export const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''

/** Whether an object has some of these keys, and no other that is not for people. */
export function hasOnly(value: Json | undefined, keys: ReadonlySet<string>): value is JsonObject {
  if (!isJsonObject(value)) return false
  let hasOne = false
  for (const key of Object.keys(value))
    if (keys.has(key)) hasOne = true
    else if (!isForPeople(key)) return false
  return hasOne
}
