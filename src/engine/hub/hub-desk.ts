import { type HubTrouble, troubleIn } from '../../domain/hub/trouble.ts'
import type { HubService } from '../../methods/services.ts'
import type { Parts } from '../parts.ts'
import type { Hub, HubConnection } from '../ports/hub.ts'
import { sleep } from '../timing/wait-until.ts'
import type { Answering } from './calls/answering.ts'
import type { Asking } from './calls/asking.ts'
import { createDirectory } from './directory.ts'
import { createFileShelf } from './file-shelf.ts'
import { createOwnCard } from './own-card.ts'
import type { RenewedKeys } from './renewed-keys.ts'

/** How this daemon calls others over the hub, and is called. */
export interface HubCalls {
  readonly asking: Asking
  readonly answering: Answering
  readonly renewedKeys: RenewedKeys
}

interface HubDeskDeps
  extends Pick<Parts, 'self' | 'view' | 'files' | 'clock' | 'timers' | 'identity' | 'verify' | 'failed'> {
  /** Left out where daemons do not call each other, as in simulations. */
  readonly hubCalls?: HubCalls | undefined
  readonly capabilities?: readonly string[] | undefined
  bootId(): string
  /** Called when another key was pinned for a peer. */
  onPinned(): void
}

/** Who replaces the key waits for the hub for so long at most. */
const PATIENCE_MILLIS = 2000

/** What a daemon does on its hub beside statements: it shows who it is, is called there, and shares files. */
export function createHubDesk(deps: HubDeskDeps) {
  const { hubCalls, clock, timers, onPinned } = deps
  const directory = createDirectory(deps)
  const shelf = createFileShelf(deps)
  const ownCard = createOwnCard(deps)
  let connection: HubConnection | undefined
  let trouble: HubTrouble | undefined

  return {
    directory,
    shelf,

    /** The same hub; every connection that is opened to it is used here too. */
    over: (hub: Hub): Hub => ({
      org: hub.org,
      carriesMembers: hub.carriesMembers,
      open: async (signal) => {
        const opened = await hub.open(signal)
        meet(hub, opened)
        return opened
      },
    }),

    /** What the lane says of the hub, and what is wrong here. */
    alsoTelling: (lane: HubService): HubService => ({
      status: () => {
        const status = lane.status()
        return status && { ...status, troubles: [...status.troubles, ...troubles()] }
      },
      hurry: () => lane.hurry(),
    }),

    /** The key of this daemon was replaced. Returns when others can see that, if the hub answers soon. */
    async showNewKey(): Promise<void> {
      const late = new AbortController()
      await Promise.race([ownCard.renew(), sleep(timers, PATIENCE_MILLIS, late.signal)])
      late.abort()
    },
  }

  function troubles(): readonly HubTrouble[] {
    if (connection === undefined) return []
    return [...(trouble === undefined ? [] : [trouble]), ...ownCard.troubles()]
  }

  function meet(hub: Hub, opened: HubConnection): void {
    const { rooms, ended } = opened
    if (rooms === undefined) return
    connection = opened
    trouble = undefined
    const place = { org: hub.org, ...rooms }
    hubCalls?.asking.use(place)
    hubCalls?.answering.use(place, (fault) => {
      trouble = troubleIn(fault, clock.now())
    })
    hubCalls?.renewedKeys.use(place, onPinned)
    directory.use(place)
    shelf.use({ files: rooms.files, scope: hub })
    void ownCard.use(place)
    void ended.then(() => leave(opened))
  }

  function leave(ended: HubConnection): void {
    if (connection !== ended) return
    connection = undefined
    const { asking, answering, renewedKeys } = hubCalls ?? {}
    for (const part of [asking, answering, renewedKeys, directory, shelf, ownCard]) void part?.use(undefined)
  }
}
