import { type FeedEvent, toldOf } from '../../domain/feed.ts'
import type { Project } from '../../domain/model.ts'
import { jsonText } from '../../protocol/json-text.ts'
import type { SequencedChange } from '../ports.ts'

/** Characters of JSON text of the events that are kept at least, and at most twice. */
const KEPT_CHARS = 4 * 1024 * 1024

export interface Told {
  readonly event: FeedEvent
  /** Of the JSON text of its value. */
  readonly chars: number
  readonly project: Project
}

/**
 * What changed, as it is told: made once for all who may see it. Those of which many are told are the newest, so
 * they are kept in two generations, of which the older one is dropped when the newer one is full.
 */
export class ToldEvents {
  readonly #cursorAt: (seq: number) => string
  #recent = new Map<SequencedChange, Told>()
  #earlier = this.#recent
  #room = KEPT_CHARS

  constructor(cursorAt: (seq: number) => string) {
    this.#cursorAt = cursorAt
  }

  of(change: SequencedChange, project: Project): Told {
    const known = this.#recent.get(change) ?? this.#earlier.get(change)
    // How a repo is told of depends on its project.
    if (known?.project === project) return known
    const event = { cursor: this.#cursorAt(change.seq), ...toldOf(change, project) }
    const told = { event, chars: jsonText(event.value).length, project }
    this.#recent.set(change, told)
    this.#room -= told.chars
    if (this.#room < 0) {
      this.#earlier = this.#recent
      this.#recent = new Map()
      this.#room = KEPT_CHARS
    }
    return told
  }
}
