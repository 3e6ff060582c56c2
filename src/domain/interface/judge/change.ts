import { hashOf } from '../../../protocol/json/canonical.ts'
import type { Json } from '../../../protocol/json/json.ts'
import type { Change, Difference } from '../model.ts'
import { sentenceOf } from './sentence.ts'

const LENGTH = 12
const OF_NULL = hashOf(null)

const hashOfValue = (value: Json | undefined): string =>
  value === undefined || value === null ? OF_NULL : hashOf(value)

/**
 * A difference with its place, its sentence and what it is known by. Sentence and fingerprint are made when somebody asks:
 * of very many changes only the worst are told.
 */
export function changeOf(found: Difference, { at: place, sender }: Pick<Change, 'at' | 'sender'>): Change {
  const { path, kind, narrows, widens, before, after, tolerance } = found
  const at = place + path
  let [say, fingerprint]: (string | undefined)[] = []
  return {
    ...{ at, kind, sender, narrows, widens, before, after, tolerance },
    get say() {
      say ??= sentenceOf({ ...found, at, sender })
      return say
    },
    get fingerprint() {
      fingerprint ??= hashOf([kind, at, hashOfValue(before), hashOfValue(after)]).slice(0, LENGTH)
      return fingerprint
    },
  }
}
