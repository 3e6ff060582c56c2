import type { EntityName } from '../../../domain/change.ts'
import { entityKey } from '../../../domain/entity.ts'
import { formOf } from '../../../domain/plain/shadow.ts'
import type { View } from '../../../domain/view.ts'
import type { Json } from '../../../protocol/json/json.ts'

/** Of what is not here either; those of what is here keep it from being overwritten there, and are all noted. */
const MOST = 1000

/** What a plain peer holds and we cannot take, and why. */
export function createPlainRefusals(view: View) {
  /** By entityKey. */
  const reasons = new Map<string, string>()
  let count = 0

  return {
    /** How many there ever were. */
    get count(): number {
      return count
    },

    of: (name: EntityName): string | undefined => reasons.get(entityKey(name)),
    entries: (): Iterable<readonly [key: string, reason: string]> => reasons,

    note(name: EntityName, reason: Json | undefined): void {
      count++
      const found = view.projects.get(name.project_id)
      const isHere = found !== undefined && formOf(name, found) !== undefined
      if (!isHere && reasons.size >= MOST) return
      reasons.set(entityKey(name), `What it has cannot be taken: ${String(reason).slice(0, 300)}`)
    },

    forget: (name: EntityName): boolean => reasons.delete(entityKey(name)),

    forgetIn(projectId: string): void {
      for (const key of reasons.keys()) if (key.split(' ')[1] === projectId) reasons.delete(key)
    },
  }
}
