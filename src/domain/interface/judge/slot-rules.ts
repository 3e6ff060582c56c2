import type { Difference, Slot } from '../model.ts'
import { statusOf } from './status.ts'

/** Errors come and go: whoever calls has to be ready for any. */
const isError = (status: string): boolean => /^[45]|^default$|^error/.test(status)

export function slotRemoved(slot: Slot): Difference {
  const status = statusOf(slot)
  if (status !== null) {
    const likely = isError(status) ? 'no' : 'yes'
    return { path: '', kind: 'status-removed', narrows: likely, widens: likely, before: status }
  }
  if (slot.isBurden === true) return { path: '', kind: 'slot-removed', narrows: 'no', widens: 'yes' }
  if (slot.isChoice === true)
    return { path: '', kind: 'media-type-removed', narrows: 'yes', widens: 'yes', before: slot.at }
  if (slot.sender === 'both') return { path: '', kind: 'slot-removed', narrows: 'yes', widens: 'yes' }
  return {
    path: '',
    kind: 'slot-removed',
    narrows: slot.sender === 'consumer' ? 'depends' : 'no',
    widens: slot.sender === 'consumer' ? 'no' : slot.required ? 'yes' : 'depends',
    ...(slot.sender === 'provider' ? { tolerance: 'missing_optional' } : {}),
  }
}

export function slotAdded(slot: Slot): Difference {
  const status = statusOf(slot)
  if (status !== null)
    return {
      path: '',
      kind: 'status-added',
      narrows: 'no',
      widens: isError(status) ? 'no' : 'depends',
      after: status,
    }
  const isDemanded = slot.required && slot.isChoice !== true && slot.sender !== 'both'
  return {
    path: '',
    kind: isDemanded ? 'required-slot-added' : 'slot-added',
    narrows: isDemanded ? 'yes' : 'no',
    widens: 'no',
  }
}

/** What is offered beside an answer for those who want it: nobody is hurt by one more. */
const isOffer = (key: string): boolean => key.startsWith('links.')

/** What stands beside a schema and is not understood. */
export function besideDifferences({ beside: old = {} }: Slot, { beside: now = {} }: Slot): Difference[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...keys]
    .filter((key) => old[key] !== now[key] && !(old[key] === undefined && isOffer(key)))
    .map((key) => ({ path: `.${key}`, kind: 'not-looked-at', narrows: 'unsure', widens: 'unsure' }))
}
