import { RecentCache } from '../../../protocol/collections/recent-cache.ts'

/** A peer in one of its lives. */
export interface Sender {
  readonly agentId: string
  readonly bootId: string
}

/** How many statements are remembered at least. */
const KEPT = 20_000

/**
 * Which statements came from a peer, and in which of its lives: as long as it lives it has them, and an echo would tell
 * it nothing. Forgetting costs that echo and no more, so only the newest are remembered.
 */
export class Heard {
  readonly #senders = new RecentCache<object, string>(KEPT)
  readonly #counts = new Map<string, number>()

  /** It sent what was news here. */
  note(statements: readonly object[], sender: Sender): void {
    for (const statement of statements) this.keep(statement, sender)
    this.#counts.set(sender.agentId, this.countFrom(sender.agentId) + statements.length)
  }

  /** How many statements came from it since this daemon started. While the number grows, it is handing over. */
  countFrom(agentId: string): number {
    return this.#counts.get(agentId) ?? 0
  }

  /** Statements are never changed in place, so what was heard of one stays true. */
  isFrom(sender: Sender, statement: object): boolean {
    return this.#senders.get(statement) === keyOf(sender)
  }

  keep(statement: object, sender: Sender): void {
    this.#senders.set(statement, keyOf(sender))
  }
}

/** Both, because a boot id is no secret: nobody can keep from a peer what another one sent. */
const keyOf = ({ agentId, bootId }: Sender): string => `${agentId} ${bootId}`
