import type { Parts } from '../parts.ts'
import type { Background } from '../timing/background-tasks.ts'
import { pauseBy } from '../timing/pause.ts'
import { createBriefing } from './brief.ts'
import { createContractLists } from './contracts/contract-lists.ts'
import { createFeed } from './feed.ts'
import { createInbox } from './inbox/inbox.ts'
import type { SeatRules } from './rules.ts'
import { createWaits } from './waits/waits.ts'

interface SeatDeps extends Pick<Parts, 'self' | 'store' | 'log' | 'timers' | 'clock' | 'failed'> {
  readonly rules: SeatRules
}

/** The services by which agents learn of the state; all of them follow the log of durable changes. */
export function createSeat({ self, store, log, timers, clock, rules, failed }: SeatDeps) {
  const feed = createFeed({ store, log, timers, clock, rules: rules.feed })
  const pause = pauseBy(timers)
  const inbox = createInbox({ self, store, log, pause, takeMinutes: rules.takeMinutes, failed })
  const waits = createWaits({ store, feed, inbox, timers, clock, pause, atOnce: rules.waitsAtOnce })
  const contracts = createContractLists({ store, log, pause, failed })
  return {
    services: { feed, inbox, waits, contracts, briefing: createBriefing({ store, log, inbox }) },
    /**
     * To be called after each addition to the log. They are separate, so that one that fails does not keep the others
     * from running.
     */
    listeners: [feed.wake, inbox.notice, waits.changed],
    // What is folded for the inbox need not be folded again.
    warmUp: (background: Background) => inbox.warmUp(background).then(() => contracts.warmUp(background)),
    /** Ends all waits and readers, so that none of them holds up the shutdown. */
    close: () => {
      feed.close()
      waits.close()
    },
  }
}
