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
  const { path, beforeWords, afterWords, ...rest } = found
  const told = { ...rest, at: `${at}${path}`, sender }
  let [say, fingerprint]: (string | undefined)[] = []
  return {
    ...told,
    /** These two are made when somebody asks: of very many changes only the worst are told. */
    get say() {
      say ??= sentenceOf({ ...told, beforeWords, afterWords })
      return say
    },
    get fingerprint() {
      fingerprint ??= fingerprintOf(told)
      return fingerprint
    },
  }
}

function fingerprintOf({
  kind,
  at,
  before,
  after,
}: Pick<Change, 'kind' | 'at' | 'before' | 'after'>): string {
  return hashOf([kind, at, hashOfValue(before), hashOfValue(after)]).slice(0, LENGTH)
}
