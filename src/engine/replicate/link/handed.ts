import type { Statement } from '../../../domain/statements/statement.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import { isTooMuch } from '../intake/judging.ts'

/** Statements of one project of which it is remembered that handing them over was in vain, and keys. */
const MOST_REMEMBERED = 20_000
const MOST_KEYS = 1000
/** At most so many comparisons pass before all is handed over again, as a power of two. */
const MOST_DOUBLINGS = 6

interface InProject {
  /** What the peer said that it has, or that it never takes. */
  readonly ids: Set<string>
  /** Whose words were too much for it. */
  readonly keys: Set<string>
  /** There were more than are remembered. */
  isOverfull: boolean
  doublings: number
  /** The comparison in which all is handed over again. */
  next: number
}

/**
 * What one peer was handed when comparing and cannot be given, however often: it says that it has it and shows that it
 * has not, or a key has said too much for it. That is tried again ever more rarely; all else as always.
 */
export class Handed {
  readonly #projects = new Map<string, InProject>()
  #comparison = 0

  /** Another comparison begins. */
  begin(): void {
    this.#comparison++
  }

  /** Of what the peer lacks in one project, what is worth handing over now. */
  worthHanding(lacking: readonly Statement[]): readonly Statement[] {
    const known = this.#projects.get(lacking[0]?.project_id ?? '')
    if (known === undefined) return lacking
    const others = lacking.filter(({ id, key }) => !known.ids.has(id) && !known.keys.has(key))
    if (others.length === lacking.length) {
      this.#projects.delete(lacking[0]?.project_id ?? '')
      return lacking
    }
    if (this.#comparison < known.next) return known.isOverfull ? [] : others
    known.doublings = Math.min(known.doublings + 1, MOST_DOUBLINGS)
    known.next = this.#comparison + 2 ** known.doublings
    known.keys.clear()
    return lacking
  }

  note({ project_id, id, key }: Statement, outcome: Json | undefined): void {
    const { status, reason, retryable } = isJsonObject(outcome) ? outcome : {}
    const isOfFullKey = status === 'refused' && isTooMuch(String(reason))
    const isInVain = isOfFullKey || (status === 'refused' ? retryable === false : status !== 'waits')
    if (!isInVain) return
    const known = this.#inProject(project_id)
    if (isOfFullKey && known.keys.size < MOST_KEYS) known.keys.add(key)
    else if (known.ids.size < MOST_REMEMBERED) known.ids.add(id)
    else known.isOverfull = true
  }

  #inProject(projectId: string): InProject {
    return getOrAdd(this.#projects, projectId, () => ({
      ids: new Set<string>(),
      keys: new Set<string>(),
      isOverfull: false,
      doublings: 0,
      next: 0,
    }))
  }
}
