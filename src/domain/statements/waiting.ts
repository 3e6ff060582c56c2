import type { Stamp } from '../../protocol/stamp.ts'
import { hasLostContent, type Statement } from './statement.ts'

/** What may wait here at most: statements and characters of text. */
export interface Room {
  readonly count: number
  readonly chars: number
}

const MIB = 1024 * 1024

/** Of one key by one sender, of one sender, and of all together: nobody can use up the room of another. */
export const WAITING_ROOM = {
  key: { count: 1000, chars: 4 * MIB },
  sender: { count: 5000, chars: 16 * MIB },
  all: { count: 50_000, chars: 64 * MIB },
} as const

export interface Waiting {
  readonly statement: Statement
  /** Who sent it. */
  readonly sender: string
  /** Of its text. */
  readonly chars: number
  /** Whether its signature was checked. */
  readonly isSigned: boolean
  /** Since when it waits. */
  readonly since?: Stamp | undefined
}

export interface WaitingOfSender {
  readonly count: number
  /** Of the one that waits longest. */
  readonly since: Stamp | null
}

/**
 * Statements that cite something which is not here yet. What has no room is sent again by whoever compares digests
 * with us.
 */
export class WaitingPool {
  readonly #room: { readonly [Of in keyof typeof WAITING_ROOM]: Room }
  /** By what they wait for, then by their own id and signature: whoever forges one must not take its place. */
  readonly #waiting = new Map<string, Map<string, Waiting>>()
  readonly #used = new Map<string, Room>()

  constructor(room: { readonly [Of in keyof typeof WAITING_ROOM]: Room } = WAITING_ROOM) {
    this.#room = room
  }

  /** False when there is no room for another one of this key or sender. */
  add(one: Waiting, waitsFor: string): boolean {
    const others = this.#waiting.get(waitsFor) ?? new Map<string, Waiting>()
    const place = placeOf(one.statement)
    if (others.has(place)) return true
    if (!this.#hasRoom(one)) return false
    this.#count(one, 1)
    this.#waiting.set(waitsFor, others.set(place, one))
    return true
  }

  /** Those that wait for this id, which have to be judged again; they wait no more. */
  take(id: string): Waiting[] {
    const found = [...(this.#waiting.get(id)?.values() ?? [])]
    this.#waiting.delete(id)
    for (const one of found) this.#count(one, -1)
    return found
  }

  /** Those that wait for this id, which go on waiting. */
  waitingFor(id: string): Iterable<Waiting> {
    return this.#waiting.get(id)?.values() ?? []
  }

  waitingOf(sender: string): WaitingOfSender {
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
    return roomsOf(one).every(([name, of]) => {
      const { count, chars } = this.#usedBy(name)
      return count < this.#room[of].count && chars + one.chars <= this.#room[of].chars
    })
  }

  #count(one: Waiting, times: 1 | -1): void {
    for (const [name] of roomsOf(one)) {
      const { count, chars } = this.#usedBy(name)
      if (count + times === 0) this.#used.delete(name)
      else this.#used.set(name, { count: count + times, chars: chars + times * one.chars })
    }
  }

  #usedBy(name: string): Room {
    return this.#used.get(name) ?? { count: 0, chars: 0 }
  }
}

/** With and without its content a statement may wait twice. */
const placeOf = (statement: Statement): string =>
  `${statement.id} ${statement.sig}${hasLostContent(statement) ? ' bare' : ''}`

const roomsOf = ({ statement, sender }: Waiting) =>
  [
    [`key ${sender} ${statement.key}`, 'key'],
    [`sender ${sender}`, 'sender'],
    ['all', 'all'],
  ] as const
