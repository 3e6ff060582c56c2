import { hashOf } from '../../../protocol/json/canonical.ts'
import type { Json } from '../../../protocol/json/json.ts'
import type { Change, Difference, Sender } from '../model.ts'
import { sentenceOf } from './sentence.ts'

const LENGTH = 12
const OF_NULL = hashOf(null)

const hashOfValue = (value: Json | undefined): string =>
  value === undefined || value === null ? OF_NULL : hashOf(value)

/** A difference with its place, its sentence and what it is known by. */
export function changeOf(found: Difference, { at, sender }: { at: string; sender: Sender }): Change {
  const { path, ...rest } = found
  const place = `${at}${path}`
  const { kind, before, after } = rest
  return {
    ...rest,
    at: place,
    sender,
    say: sentenceOf({ ...rest, at: place, sender }),
    fingerprint: hashOf([kind, place, hashOfValue(before), hashOfValue(after)]).slice(0, LENGTH),
  }
}
