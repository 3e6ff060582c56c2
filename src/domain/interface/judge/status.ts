import type { Operation, Slot } from '../model.ts'

const PLACE = /^response\.([^.]+)(.*)$/

/** The status of a slot that says only that there is such an answer. */
export function statusOf({ at }: Slot): string | null {
  const [, status, rest] = PLACE.exec(at) ?? []
  return status !== undefined && rest === '' ? status : null
}

/** What is not named by itself is covered by its range (`4xx`), else by the default answer. */
export function coveredBy(slot: Slot, others: ReadonlyMap<string, Slot>): Slot | undefined {
  const [, status, rest] = PLACE.exec(slot.at) ?? []
  if (status === undefined || others.has(`response.${status}`)) return undefined
  const range = /^\d/.test(status) ? `${status[0]}xx` : 'default'
  const cover = [range, 'default'].find((name) => name !== status && others.has(`response.${name}`))
  return cover === undefined ? undefined : others.get(`response.${cover}${rest}`)
}

/** Whether all of the answer that this slot belongs to is new or gone, which is told once. */
export function isSubslotOf(
  slot: Slot,
  own: ReadonlyMap<string, Slot>,
  others: ReadonlyMap<string, Slot>,
): boolean {
  const [, status, rest] = PLACE.exec(slot.at) ?? []
  if (status === undefined || rest === '') return false
  const answer = own.get(`response.${status}`)
  return answer !== undefined && !others.has(answer.at) && coveredBy(answer, others) === undefined
}

/** Where one side did not say the status of its good answer, it is the one that the other side says. */
export function alignStatus(before: Operation, after: Operation): readonly [Operation, Operation] {
  if (before.assumesStatus === true && after.assumesStatus !== true)
    return [moved(before, goodOf(after)), after]
  if (after.assumesStatus === true && before.assumesStatus !== true)
    return [before, moved(after, goodOf(before))]
  return [before, after]
}

function goodOf({ slots }: Operation): string | undefined {
  const good = slots.map(statusOf).filter((status) => status !== null && /^2/.test(status))
  return good.length === 1 ? (good[0] ?? undefined) : undefined
}

function moved(operation: Operation, status: string | undefined): Operation {
  if (status === undefined || status === '200') return operation
  const move = (at: string) => at.replace(/^response\.200(?=\.|$)/, `response.${status}`)
  return { ...operation, slots: operation.slots.map((slot) => ({ ...slot, at: move(slot.at) })) }
}
