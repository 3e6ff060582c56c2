import type { Decision, Sender } from '../../domain/change.ts'

/** How many values are remembered at least, and at most twice. */
const KEPT = 20_000

/**
 * Which values came from a peer just as they are kept here, and in which of its lives: as long as it lives it
 * has them, and an echo would tell it nothing. Forgetting costs that echo and no more, so only the newest are
 * remembered, in two generations, of which the older one is dropped when the newer one is full.
 */
export class Heard {
  #recent = new WeakMap<object, string>()
  #earlier = this.#recent
  #room = KEPT
  readonly #counts = new Map<string, number>()

  note<Result>(decision: Decision<Result>): Decision<Result> {
    const { sentBy, changes = [] } = decision
    if (sentBy === undefined) return decision
    for (const { value } of changes) this.#keep(value, keyOf(sentBy))
    this.#counts.set(sentBy.agentId, this.countFrom(sentBy.agentId) + changes.length)
    return decision
  }

  /** How many values came from it since this daemon started. While the number grows, it is handing over. */
  countFrom(agentId: string): number {
    return this.#counts.get(agentId) ?? 0
  }

  /** Values are never changed in place, so what was heard of one stays true. */
  isFrom(sender: Sender, value: object): boolean {
    return (this.#recent.get(value) ?? this.#earlier.get(value)) === keyOf(sender)
  }

  #keep(value: object, sender: string): void {
    if (this.#room === 0) {
      this.#earlier = this.#recent
      this.#recent = new WeakMap()
      this.#room = KEPT
    }
    this.#recent.set(value, sender)
    this.#room--
  }
}

/** Both, because a life is no secret: nobody can keep from a peer what another one sent. */
const keyOf = ({ agentId, life }: Sender): string => `${agentId} ${life}`
