import type { HubFound, MadeStream, StreamLimits } from '../../domain/hub/found.ts'
import type { Fault } from '../../protocol/fault.ts'
import type { HubSettings } from '../../protocol/hub-settings.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { HubRooms } from './hub-rooms.ts'

/** The hub of an organisation, which carries statements between daemons that need not reach each other. */

export interface Hub {
  /** The organisation, by which the subjects begin. */
  readonly org: string
  /** Whether projects of visibility `members` travel too. */
  readonly carriesMembers: boolean
  /** Connects and finds the streams. Throws a Fault that says what is missing and the next step. */
  open(signal: AbortSignal): Promise<HubConnection>
}

/** The settings of the hub, where they are kept, and what they lead to. */
export interface HubPlace {
  /** Those that count now; null: there is no hub. */
  readonly settings: HubSettings | null
  /** Calls nobody before it is opened. */
  hubOf(settings: HubSettings): Hub
  /** Connects, and tells what is there. Throws a Fault that says what is wrong and the next step. */
  look(settings: HubSettings, signal: AbortSignal): Promise<HubFound>
  makeStreams(
    settings: HubSettings,
    limits: StreamLimits,
    signal: AbortSignal,
  ): Promise<readonly MadeStream[]>
  /** Keeps them for the next start too. */
  save(settings: HubSettings | null): Promise<void>
}

/** Facts are all kept; of registers only the newest message of each subject is. */
export type HubStream = 'facts' | 'registers'

/**
 * One connection. After an interruption it is over, and another one has to be opened: so there is one way to begin, for
 * a server that was restarted, wiped or restored meanwhile too. Nothing that comes from it is believed: statements are
 * verified like those of any peer.
 */
export interface HubConnection extends AsyncDisposable {
  /** Resolves when the connection is over, with the reason. */
  readonly ended: Promise<Fault>
  /** Left out where a hub carries statements alone, as in simulations. */
  readonly rooms?: HubRooms
  /** Now. */
  stateOf(stream: HubStream): Promise<HubStreamState>
  /**
   * Publishes in this order and waits until the hub has stored each. The outcomes are in the order of the messages. A
   * failure that a later attempt may not have is thrown; then any number of the messages may have been stored.
   */
  publish(messages: readonly HubMessage[]): Promise<readonly HubOutcome[]>
  /**
   * The messages after a sequence number, in order, in lists as they arrive. Ends when the signal is aborted; with
   * `upTo`, by itself after the last one up to there, also when there is none.
   */
  read(stream: HubStream, range: HubRange, signal: AbortSignal): AsyncIterable<readonly StoredMessage[]>
  /** The last message of this subject among the registers. */
  lastOf(subject: string): Promise<StoredMessage | undefined>
  /** Overwrites the message on the disks of the hub. Throws a Fault where this daemon may not. */
  erase(stream: HubStream, sequence: number): Promise<void>
}

export interface HubStreamState {
  /** Another one after the stream was created anew. */
  readonly id: string
  /** The sequence number of the first message that is kept; one more than `last` when there is none. */
  readonly first: number
  /** The sequence number of the last message ever stored; 0 when there was none. */
  readonly last: number
  /** What the clock of the hub shows; left out where it does not say. */
  readonly now?: Stamp
}

export interface HubMessage {
  readonly subject: string
  /** The hub ignores a message whose id it has had within the last minutes. */
  readonly id: string
  readonly text: string
  /**
   * Stored only if the last message of this subject has this sequence number; 0: if there is none. Then the id is not
   * looked at, so that a register that another one displaced can be stored again.
   */
  readonly after?: number
}

export type HubOutcome =
  | { readonly status: 'stored'; readonly sequence: number }
  /** The hub had a message of this id already, with this number. */
  | { readonly status: 'known'; readonly sequence: number }
  /** The last message of the subject is another one than `after` says. */
  | { readonly status: 'overtaken' }
  /** Not stored as things are: it is too large, or this daemon may not publish on its subject. */
  | RefusedByHub

export interface RefusedByHub {
  readonly status: 'refused'
  readonly trouble: 'permission' | 'too_large'
  readonly reason: string
}

export interface HubRange {
  readonly after: number
  readonly upTo?: number
  /** Only messages of subjects that match this; all if left out. */
  readonly subject?: string
}

export interface StoredMessage {
  readonly sequence: number
  readonly subject: string
  /** Empty when it is larger than any statement. */
  readonly text: string
  /** When the hub stored it, by the clock of the hub. */
  readonly at: Stamp
}
