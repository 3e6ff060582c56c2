import type { Change } from './change.ts'
import { mergeContract, mergePacket, mergeRepo } from './merge.ts'

/** A sender may name the same part twice; each was merged with what is here, so both are merged with each other. */
export function onePerEntity(changes: readonly Change[]): Change[] {
  const byEntity = new Map<string, Change>()
  for (const change of changes) {
    const key = `${change.kind} ${change.id}`
    const present = byEntity.get(key)
    byEntity.set(key, present === undefined ? change : joinChanges(present, change))
  }
  return [...byEntity.values()]
}

function joinChanges(a: Change, b: Change): Change {
  if (a.kind === 'repo' && b.kind === 'repo') return { ...a, value: mergeRepo(a.value, b.value).value }
  if (a.kind === 'contract' && b.kind === 'contract')
    return { ...a, value: mergeContract(a.value, b.value).value }
  if (a.kind === 'packet' && b.kind === 'packet') return { ...a, value: mergePacket(a.value, b.value).value }
  throw new TypeError(`${a.kind} and ${b.kind} are not changes of one entity`)
}
