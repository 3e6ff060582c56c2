import type { EntityName } from '../../../domain/change.ts'
import { entityKey } from '../../../domain/entity.ts'
import { formOf } from '../../../domain/plain/shadow.ts'
import type { View } from '../../../domain/view.ts'
import type { Json } from '../../../protocol/json/json.ts'

/** Of what is not here either; those of what is here keep it from being overwritten there, and are all noted. */
const MOST = 1000

/** What a plain peer holds and we cannot take, and why. */
export class PlainRefusals {
  readonly #view: View
  /** By entityKey. */
  readonly #reasons = new Map<string, string>()
  #count = 0

  constructor(view: View) {
    this.#view = view
  }

  /** How many there ever were. */
  get count(): number {
    return this.#count
  }

  of(name: EntityName): string | undefined {
    return this.#reasons.get(entityKey(name))
  }

  entries(): Iterable<readonly [key: string, reason: string]> {
    return this.#reasons
  }

  note(name: EntityName, reason: Json | undefined): void {
    this.#count++
    const found = this.#view.projects.get(name.project_id)
    const isHere = found !== undefined && formOf(name, found) !== undefined
    if (!isHere && this.#reasons.size >= MOST) return
    this.#reasons.set(entityKey(name), `What it has cannot be taken: ${String(reason).slice(0, 300)}`)
  }

  forget(name: EntityName): void {
    this.#reasons.delete(entityKey(name))
  }

  forgetIn(projectId: string): void {
    for (const key of this.#reasons.keys()) if (key.split(' ')[1] === projectId) this.#reasons.delete(key)
  }
}
