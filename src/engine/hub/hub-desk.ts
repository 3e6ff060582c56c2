import { type HubTrouble, troubleIn } from '../../domain/hub/trouble.ts'
import type { HubService } from '../../methods/services.ts'
import type { Hub, HubConnection } from '../ports/hub.ts'
import type { Clock, Timers } from '../ports/ports.ts'
import { sleep } from '../timing/sleep.ts'
import type { Answering } from './calls/answering.ts'
import type { Asking } from './calls/asking.ts'
import type { Directory } from './directory.ts'
import type { FileShelf } from './file-shelf.ts'
import type { OwnCard } from './own-card.ts'
import type { RenewedKeys } from './renewed-keys.ts'

/** How this daemon calls others over the hub, and is called. */
export interface HubCalls {
  readonly asking: Asking
  readonly answering: Answering
  readonly renewedKeys: RenewedKeys
}

export interface HubDeskDeps {
  /** Left out where daemons do not call each other, as in simulations. */
  readonly hubCalls?: HubCalls | undefined
  readonly ownCard: OwnCard
  readonly directory: Directory
  readonly shelf: FileShelf
  readonly clock: Pick<Clock, 'now'>
  readonly timers: Timers
  /** Called when another key was pinned for a peer. */
  onPinned(): void
}

/** Who replaces the key waits for the hub for so long at most. */
const PATIENCE_MILLIS = 2000

/** What a daemon does on its hub beside statements: it shows who it is, is called there, and shares files. */
export class HubDesk {
  readonly #deps: HubDeskDeps
  #connection: HubConnection | undefined
  #trouble: HubTrouble | undefined

  constructor(deps: HubDeskDeps) {
    this.#deps = deps
  }

  /** The same hub; every connection that is opened to it is used here too. */
  over(hub: Hub): Hub {
    return {
      org: hub.org,
      carriesMembers: hub.carriesMembers,
      open: async (signal) => {
        const connection = await hub.open(signal)
        this.#meet(hub, connection)
        return connection
      },
    }
  }

  /** What the lane says of the hub, and what is wrong here. */
  alsoTelling(lane: HubService): HubService {
    return {
      status: () => {
        const status = lane.status()
        return status && { ...status, troubles: [...status.troubles, ...this.#troubles()] }
      },
      hurry: () => lane.hurry(),
    }
  }

  /** The key of this daemon was replaced. Returns when others can see that, if the hub answers soon. */
  async showNewKey(): Promise<void> {
    const { ownCard, timers } = this.#deps
    const late = new AbortController()
    await Promise.race([ownCard.renew(), sleep(timers, PATIENCE_MILLIS, late.signal)])
    late.abort()
  }

  #troubles(): readonly HubTrouble[] {
    if (this.#connection === undefined) return []
    return [...(this.#trouble === undefined ? [] : [this.#trouble]), ...this.#deps.ownCard.troubles()]
  }

  #meet(hub: Hub, connection: HubConnection): void {
    const { rooms, ended } = connection
    if (rooms === undefined) return
    const { hubCalls, ownCard, directory, shelf, clock, onPinned } = this.#deps
    const { wire, cards, files } = rooms
    this.#connection = connection
    this.#trouble = undefined
    hubCalls?.asking.use({ org: hub.org, wire })
    hubCalls?.answering.use({ org: hub.org, wire }, (fault) => {
      this.#trouble = troubleIn(fault, clock.now())
    })
    const place = { org: hub.org, cards }
    hubCalls?.renewedKeys.use(place, onPinned)
    directory.use(place)
    shelf.use({ files, scope: hub })
    void ownCard.use(place)
    void ended.then(() => this.#leave(connection))
  }

  #leave(connection: HubConnection): void {
    if (this.#connection !== connection) return
    const { hubCalls, ownCard, directory, shelf } = this.#deps
    this.#connection = undefined
    hubCalls?.asking.use(undefined)
    hubCalls?.answering.use(undefined)
    hubCalls?.renewedKeys.use(undefined)
    directory.use(undefined)
    shelf.use(undefined)
    void ownCard.use(undefined)
  }
}
