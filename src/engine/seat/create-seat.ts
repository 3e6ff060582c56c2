import type { Services } from '../../methods/services.ts'
import type { ChangeLog } from '../change-log.ts'
import type { Clock, SequencedChange, Store, Timers } from '../ports.ts'
import { BriefService } from './brief.ts'
import { ChangeFeed } from './feed.ts'
import { InboxService } from './inbox.ts'
import type { SeatRules } from './rules.ts'
import { StateWaits } from './waits.ts'

export interface SeatDeps {
  readonly store: Store
  readonly log: ChangeLog
  readonly timers: Timers
  readonly clock: Pick<Clock, 'now'>
  readonly rules: SeatRules
}

/** What agents learn of the state by, all of it following the log of durable changes. */
export interface Seat {
  readonly services: Pick<Services, 'feed' | 'inbox' | 'waits' | 'briefing'>
  /** The log has more than before. */
  changed(changes: readonly SequencedChange[]): void
  /** Lets go of everybody who waits for something, so that nobody holds the door open. */
  close(): void
}

export function createSeat({ store, log, timers, clock, rules }: SeatDeps): Seat {
  const { id: storeId, view } = store
  const feed = new ChangeFeed({ storeId, log, view, timers, clock, rules: rules.feed })
  const pause = () => new Promise<void>((resolve) => timers.after(0, resolve))
  const inbox = new InboxService({ store, log, pause })
  const waits = new StateWaits({ store, feed, inbox, timers, clock, rules: rules.waits })
  return {
    services: { feed, inbox, waits, briefing: new BriefService({ store, log, inbox }) },
    changed: (changes) => {
      feed.wake()
      inbox.notice()
      waits.changed(changes)
    },
    close: () => {
      feed.close()
      waits.close()
    },
  }
}
