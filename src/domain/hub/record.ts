import { defined } from '../../protocol/collections/defined.ts'
import { addMicros, EARLIEST, latest, type Stamp } from '../../protocol/stamp.ts'
import type { LocalChange } from '../change.ts'
import type { View } from '../view.ts'

/** How far this daemon has read the hub, and how far the hub has what is here. */
export interface HubRecord {
  readonly facts: HubPosition
  readonly registers: HubPosition
  /** The hub has, or refused, every statement of this store up to this one, in the messages up to the positions. */
  readonly offered_seq: number
  /** The newest time of what this daemon said itself and published, or was about to. */
  readonly took_until?: Stamp
}

export interface HubPosition {
  /** The stream that this is about: one that was made anew has another id. */
  readonly stream_id: string
  /** Everything up to this message is on the disk of this daemon, or was refused. */
  readonly sequence: number
  /** When the hub stored that message: another time shows that the hub was restored from a backup. */
  readonly at?: Stamp
}

/** There is one hub at most. */
const ID = 'hub'

export const hubRecord = ({ hubs }: Pick<View, 'hubs'>): HubRecord | undefined => hubs.get(ID)

const NOTHING: HubRecord = {
  facts: { stream_id: '', sequence: 0 },
  registers: { stream_id: '', sequence: 0 },
  offered_seq: 0,
}

/** Saves how far it came; what others may have stays remembered. */
export function hubRecordChange(view: View, value: Omit<HubRecord, 'took_until'>): LocalChange[] {
  const { took_until } = hubRecord(view) ?? NOTHING
  return [{ table: 'hub', id: ID, value: { ...value, ...defined({ took_until }) } }]
}

/** So much further than needed, so that hardly ever something has to be written before statements go out. */
export const STEP_MICROS = 60 * 1_000_000

/** Whoever reads the hub may have what this daemon said until then: that is never said again under another id. */
export function rememberingPublished(view: View, until: Stamp): LocalChange[] {
  const record = hubRecord(view) ?? NOTHING
  if (until <= (record.took_until ?? EARLIEST)) return []
  return [{ table: 'hub', id: ID, value: { ...record, took_until: addMicros(until, STEP_MICROS) } }]
}

/** Up to when somebody else may have what this daemon said: a peer, or whoever reads the hub. */
export const takenUntil = (view: Pick<View, 'links' | 'hubs'>): Stamp =>
  latest([
    hubRecord(view)?.took_until ?? EARLIEST,
    ...Array.from(view.links.oldestFirst(), ({ took_until = EARLIEST }) => took_until),
  ])
