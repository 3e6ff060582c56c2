import { change, unsure } from '../difference.ts'
import type { Difference, Slot } from '../model.ts'
import { statusOf } from './status.ts'

/** Errors come and go: whoever calls has to be ready for any. */
const isError = (status: string): boolean => /^[45]|^default$|^error/.test(status)

export function slotRemoved(slot: Slot): Difference {
  const status = statusOf(slot)
  if (status !== null) {
    const likely = isError(status) ? 'no' : 'yes'
    return change('status-removed', likely, likely, { before: status })
  }
  if (slot.isBurden === true) return change('slot-removed', 'no', 'yes')
  if (slot.isChoice === true) return change('media-type-removed', 'yes', 'yes', { before: slot.at })
  if (slot.sender === 'both') return change('slot-removed', 'yes', 'yes')
  if (slot.sender === 'consumer') return change('slot-removed', 'depends', 'no')
  return change('slot-removed', 'no', slot.required ? 'yes' : 'depends', { tolerance: 'missing_optional' })
}

export function slotAdded(slot: Slot): Difference {
  const status = statusOf(slot)
  if (status !== null)
    return change('status-added', 'no', isError(status) ? 'no' : 'depends', { after: status })
  const isDemanded = slot.required && slot.isChoice !== true && slot.sender !== 'both'
  return isDemanded ? change('required-slot-added', 'yes', 'no') : change('slot-added', 'no', 'no')
}

/** What is offered beside an answer for those who want it: nobody is hurt by one more. */
const isOffer = (key: string): boolean => key.startsWith('links.')

/** What stands beside a schema and is not understood. */
export function besideDifferences({ beside: old = {} }: Slot, { beside: now = {} }: Slot): Difference[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...keys]
    .filter((key) => old[key] !== now[key] && !(old[key] === undefined && isOffer(key)))
    .map((key) => unsure('not-looked-at', { path: `.${key}` }))
}
