import { hashOf } from '../../../protocol/json/canonical.ts'
import type { Json } from '../../../protocol/json/json.ts'
import type { Change, Difference, Likely, Sender, Tolerance } from '../model.ts'
import { sentenceOf } from './sentence.ts'

const LENGTH = 12
const OF_NULL = hashOf(null)

const hashOfValue = (value: Json | undefined): string =>
  value === undefined || value === null ? OF_NULL : hashOf(value)

/** A difference with its place, its sentence and what it is known by. */
export const changeOf = (found: Difference, { at, sender }: { at: string; sender: Sender }): Change =>
  new LocatedChange(found, at, sender)

/** Sentence and fingerprint are made when somebody asks: of very many changes only the worst are told. */
class LocatedChange implements Change {
  readonly at: string
  readonly kind: string
  readonly sender: Sender
  readonly narrows: Likely
  readonly widens: Likely
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly tolerance: Tolerance | undefined
  readonly #found: Difference
  #say: string | undefined
  #fingerprint: string | undefined

  constructor(found: Difference, at: string, sender: Sender) {
    this.at = at + found.path
    this.kind = found.kind
    this.sender = sender
    this.narrows = found.narrows
    this.widens = found.widens
    this.before = found.before
    this.after = found.after
    this.tolerance = found.tolerance
    this.#found = found
  }

  get say(): string {
    this.#say ??= sentenceOf({ ...this.#found, at: this.at, sender: this.sender })
    return this.#say
  }

  get fingerprint(): string {
    const { kind, at, before, after } = this
    this.#fingerprint ??= hashOf([kind, at, hashOfValue(before), hashOfValue(after)]).slice(0, LENGTH)
    return this.#fingerprint
  }
}

/** All of a change as plain data. */
export const plainChange = (change: Change): Change => {
  const { at, kind, sender, narrows, widens, before, after, tolerance, say, fingerprint } = change
  return { at, kind, sender, narrows, widens, before, after, tolerance, say, fingerprint }
}
