import type { Services } from '../../methods/services.ts'
import type { ChangeLog } from '../change-log.ts'
import type { Store, Timers } from '../ports.ts'
import { ChangeFeed } from './feed.ts'
import { InboxService } from './inbox.ts'
import type { SeatRules } from './rules.ts'

export interface SeatDeps {
  readonly store: Store
  readonly log: ChangeLog
  readonly timers: Timers
  readonly rules: SeatRules
}

/** What agents learn of the state by, all of it following the log of durable changes. */
export interface Seat {
  readonly services: Pick<Services, 'feed' | 'inbox'>
  /** The log has more than before. */
  changed(): void
  /** Lets go of everybody who waits for something, so that nobody holds the door open. */
  close(): void
}

export function createSeat({ store, log, timers, rules }: SeatDeps): Seat {
  const { id: storeId, view } = store
  const feed = new ChangeFeed({ storeId, log, view, timers, rules: rules.feed })
  const pause = () => new Promise<void>((resolve) => timers.after(0, resolve))
  const inbox = new InboxService({ store, log, pause })
  return {
    services: { feed, inbox },
    changed: () => {
      feed.wake()
      inbox.notice()
    },
    close: () => feed.close(),
  }
}
