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

  note<Result>(decision: Decision<Result>): Decision<Result> {
    const { sentBy, changes = [] } = decision
    if (sentBy !== undefined) for (const { value } of changes) this.#keep(value, keyOf(sentBy))
    return decision
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
