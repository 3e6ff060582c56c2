import type { Stamp } from '../../protocol/stamp.ts'
import { hasLostContent, type Statement } from './statement.ts'

/** A limit on waiting statements: their number and characters of text. */
interface WaitingLimit {
  readonly count: number
  readonly chars: number
}

const MIB = 1024 * 1024

/** Limits for one key from one sender, for one sender, and for all: no sender can use up the share of another. */
export const WAITING_LIMITS = {
  key: { count: 1000, chars: 4 * MIB },
  sender: { count: 5000, chars: 16 * MIB },
  all: { count: 50_000, chars: 64 * MIB },
} as const

export interface Waiting {
  readonly statement: Statement
  /** The agent that sent it. */
  readonly sender: string
  /** Length of its text. */
  readonly chars: number
  /** Whether its signature was verified. */
  readonly isSigned: boolean
  /** Since when it waits. */
  readonly since?: Stamp | undefined
}

export type WaitingOfSender = ReturnType<WaitingPool['waitingOf']>

/** Statements that cite what is not here yet. Those beyond the limits are dropped, and come again by repair. */
export class WaitingPool {
  readonly #room: { readonly [Of in keyof typeof WAITING_LIMITS]: WaitingLimit }
  /** By the id that they wait for, then by their own id and signature: a forged copy must not displace the real one. */
  readonly #waiting = new Map<string, Map<string, Waiting>>()
  readonly #used = new Map<string, WaitingLimit>()

  constructor(room: { readonly [Of in keyof typeof WAITING_LIMITS]: WaitingLimit } = WAITING_LIMITS) {
    this.#room = room
  }

  /** False when the limit of its key or sender is reached. */
  add(one: Waiting, waitsFor: string): boolean {
    const others = this.#waiting.get(waitsFor) ?? new Map<string, Waiting>()
    const place = placeOf(one.statement)
    if (others.has(place)) return true
    if (!this.#hasRoom(one)) return false
    this.#count(one, 1)
    this.#waiting.set(waitsFor, others.set(place, one))
    return true
  }

  /** Removes and returns the statements that wait for this id, to be judged again. */
  take(id: string): Waiting[] {
    const found = [...(this.#waiting.get(id)?.values() ?? [])]
    this.#waiting.delete(id)
    for (const one of found) this.#count(one, -1)
    return found
  }

  /** The statements that wait for this id. */
  waitingFor(id: string): Iterable<Waiting> {
    return this.#waiting.get(id)?.values() ?? []
  }

  /** How many of a sender wait, and when the oldest one arrived. */
  waitingOf(sender: string) {
    const { count } = this.#usedBy(`sender ${sender}`)
    let since: Stamp | null = null
    if (count > 0)
      for (const others of this.#waiting.values())
        for (const one of others.values())
          if (one.sender === sender && one.since !== undefined && (since === null || one.since < since))
            since = one.since
    return { count, since }
  }

  #hasRoom(one: Waiting): boolean {
    return limitsOf(one).every(([name, of]) => {
      const { count, chars } = this.#usedBy(name)
      return count < this.#room[of].count && chars + one.chars <= this.#room[of].chars
    })
  }

  #count(one: Waiting, times: 1 | -1): void {
    for (const [name] of limitsOf(one)) {
      const { count, chars } = this.#usedBy(name)
      if (count + times === 0) this.#used.delete(name)
      else this.#used.set(name, { count: count + times, chars: chars + times * one.chars })
    }
  }

  #usedBy(name: string): WaitingLimit {
    return this.#used.get(name) ?? { count: 0, chars: 0 }
  }
}

/** A statement can wait twice, with and without its content. */
const placeOf = (statement: Statement): string =>
  `${statement.id} ${statement.sig}${hasLostContent(statement) ? ' bare' : ''}`

const limitsOf = ({ statement, sender }: Waiting) =>
  [
    [`key ${sender} ${statement.key}`, 'key'],
    [`sender ${sender}`, 'sender'],
    ['all', 'all'],
  ] as const
