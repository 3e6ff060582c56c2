import { reservationOn } from '../domain/reservation.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'

type Row = Readonly<Record<string, unknown>>

/** Flags that say something only where they are true. */
const FLAGS = ['withdrawn', 'retired']

/**
 * A contract, a packet or a part of one as people want to read it: whose word it is only where there is a reservation,
 * what is in force in a few words, and no flag that is not set.
 */
export function forPeople(row: Row): Row {
  const { by, inForce, head } = row as JsonObject
  const author = by ?? (isJsonObject(head) ? head['by'] : undefined)
  if (!isStatement(author) && inForce === undefined) return row
  const reservation = reservationOn(author)
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row))
    if (key !== 'by' && !(FLAGS.includes(key) && value === false)) shown[key] = value
  if (isJsonObject(inForce)) shown['inForce'] = `version ${inForce['version']}, ${inForce['status']}`
  return reservation === '' ? shown : { ...shown, by: reservation }
}

const isStatement = (by: unknown): boolean => isJsonObject(by) && typeof by['statement'] === 'string'
