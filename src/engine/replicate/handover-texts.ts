import type { Change } from '../../domain/change.ts'
import type { Project, Repo } from '../../domain/model.ts'
import { handoverOf } from '../../methods/handover.ts'
import { callText } from './conversation.ts'

/** How many characters of text are kept at least, and at most twice. */
const KEPT_CHARS = 8 * 1024 * 1024

/**
 * The calls that hand entities over, as text; written once for all peers that get it at about the same time.
 * Kept in two generations, of which the older one is dropped when the newer one is full.
 */
export class HandoverTexts {
  /** Whom it is from, behind the params. */
  readonly #source: string
  /** Values are never changed in place, so a text is good for as long as its value lives. */
  #recent = new Map<object, string>()
  #earlier = this.#recent
  #room = KEPT_CHARS

  constructor({ agentId, life }: { agentId: string; life: string }) {
    this.#source = `,"source_agent":${JSON.stringify(agentId)},"source_life":${JSON.stringify(life)}}`
  }

  of(change: Change, project: Project): string {
    const known = this.#recent.get(change.value)
    if (known !== undefined) return known
    const text = this.#earlier.get(change.value) ?? this.#write(change, project, [])
    this.#keep(change.value, text)
    return text
  }

  #keep(value: object, text: string): void {
    if (text.length > this.#room) {
      this.#earlier = this.#recent
      this.#recent = new Map()
      this.#room = KEPT_CHARS
    }
    this.#recent.set(value, text)
    this.#room -= text.length
  }

  /** A project with the repos that it is kept among, which are not part of its value. */
  ofProjectAmong(members: readonly Repo[], change: Change, project: Project): string {
    return this.#write(change, project, members)
  }

  #write(change: Change, project: Project, members: readonly Repo[]): string {
    const { method, params } = handoverOf(change, project, members)
    return callText(method, JSON.stringify(params).slice(0, -1) + this.#source)
  }
}
