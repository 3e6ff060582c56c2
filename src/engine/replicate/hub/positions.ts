import type { HubPosition, HubRecord } from '../../../domain/hub/record.ts'
import type { Stamp } from '../../../protocol/stamp.ts'
import type { HubConnection, HubStream, HubStreamState, StoredMessage } from '../../ports/hub.ts'

export type HubStates = { readonly [Stream in HubStream]: HubStreamState }

/** What became of the hub since it was last read. */
export type Found = 'new' | 'same' | 'wiped' | 'gap'

const NOWHERE: HubPosition = { stream_id: '', sequence: 0 }

/** How far the streams of the hub were read: everything up to there is on our disk, or was refused. */
export class Positions {
  #positions: { readonly [Stream in HubStream]: HubPosition }

  constructor(saved: HubRecord | undefined) {
    this.#positions = { facts: saved?.facts ?? NOWHERE, registers: saved?.registers ?? NOWHERE }
  }

  of(stream: HubStream): number {
    return this.#positions[stream].sequence
  }

  /** How many messages were not read then, at most. */
  behind(states: HubStates): number {
    return (
      Math.max(0, states.facts.last - this.of('facts')) +
      Math.max(0, states.registers.last - this.of('registers'))
    )
  }

  /** A hub that lost anything is read from the beginning: what it still has need not be offered to it again. */
  async goOnWith(states: HubStates, connection: Pick<HubConnection, 'read'>): Promise<Found> {
    const { facts, registers } = this.#positions
    const isNew = facts.stream_id === '' && registers.stream_id === ''
    const isSame = isWithin(facts, states.facts) && isWithin(registers, states.registers)
    if (isNew || !isSame || !(await isStillThere(facts, connection))) {
      this.#positions = {
        facts: { stream_id: states.facts.id, sequence: 0 },
        registers: { stream_id: states.registers.id, sequence: 0 },
      }
      return isNew ? 'new' : 'wiped'
    }
    // Of registers older messages are always gone.
    return facts.sequence > 0 && states.facts.first > facts.sequence + 1 ? 'gap' : 'same'
  }

  /** `at` is when the hub stored that message, if there is one of this number. */
  moveTo(stream: HubStream, sequence: number, at?: Stamp): void {
    const { stream_id, sequence: before } = this.#positions[stream]
    if (sequence <= before) return
    const position = { stream_id, sequence, ...(at === undefined ? {} : { at }) }
    this.#positions = { ...this.#positions, [stream]: position }
  }

  state(): Pick<HubRecord, 'facts' | 'registers'> {
    return this.#positions
  }
}

const isWithin = ({ stream_id, sequence }: HubPosition, { id, last }: HubStreamState): boolean =>
  stream_id === id && sequence <= last

/** A hub that was restored from a backup, and got messages since, has another one under the same number. */
async function isStillThere(
  { sequence, at }: HubPosition,
  connection: Pick<HubConnection, 'read'>,
): Promise<boolean> {
  if (at === undefined) return true
  const range = { after: sequence - 1, upTo: sequence }
  const found: StoredMessage[] = []
  for await (const messages of connection.read('facts', range, new AbortController().signal))
    found.push(...messages)
  // One that was erased proves nothing.
  return found.every((one) => one.at === at)
}
