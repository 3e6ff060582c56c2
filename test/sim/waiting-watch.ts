import { WAITING_LIMITS, type Waiting, WaitingPool } from '../../src/domain/statements/waiting.ts'
import { replacingMethod } from './bends.ts'

/** So few may wait in a world with one that floods: its room is full soon, and nobody else's. */
const SCARCE = { key: 40, sender: 60 }

/** Makes the room for what waits scarce, and tells when more of one sender waits than that. */
export function watchWaiting(tell: (what: string) => void): Disposable {
  const rooms = WAITING_LIMITS as { readonly [Of in keyof typeof SCARCE]: { count: number } }
  const usual = { key: rooms.key.count, sender: rooms.sender.count }
  rooms.key.count = SCARCE.key
  rooms.sender.count = SCARCE.sender
  /** By pool, how much of each sender waits. */
  const waiting = new WeakMap<WaitingPool, Map<string, number>>()
  const count = (pool: WaitingPool, { sender }: Waiting, more: number): void => {
    const ofPool = waiting.get(pool) ?? new Map<string, number>()
    waiting.set(pool, ofPool)
    const now = (ofPool.get(sender) ?? 0) + more
    ofPool.set(sender, now)
    if (now === SCARCE.sender + 1) tell(`more waits of ${sender} than there is room for`)
  }
  const adding = replacingMethod(
    WaitingPool.prototype,
    'add',
    (real) =>
      function (this: WaitingPool, one, waitsFor) {
        const before = [...this.waitingFor(waitsFor)].length
        const hasRoom = real.call(this, one, waitsFor)
        if ([...this.waitingFor(waitsFor)].length > before) count(this, one, 1)
        return hasRoom
      },
  )
  const taking = replacingMethod(
    WaitingPool.prototype,
    'take',
    (real) =>
      function (this: WaitingPool, id) {
        const taken = real.call(this, id)
        for (const one of taken) count(this, one, -1)
        return taken
      },
  )
  return {
    [Symbol.dispose]: () => {
      taking[Symbol.dispose]()
      adding[Symbol.dispose]()
      rooms.key.count = usual.key
      rooms.sender.count = usual.sender
    },
  }
}
