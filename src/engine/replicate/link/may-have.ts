import type { LocalChange } from '../../../domain/change.ts'
import type { LinkState } from '../../../domain/model.ts'
import { latestAcceptedTime } from '../../../domain/speaking/redate.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import type { View } from '../../../domain/view.ts'
import { EARLIEST, latest, type Stamp } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'

/** Where it is remembered up to when somebody may have what this daemon said. */
export interface GivenRecord {
  until(view: View): Stamp
  remembering(view: View, until: Stamp): readonly LocalChange[]
}

interface MayHaveDeps extends Pick<Parts, 'self' | 'store' | 'view'> {
  given: GivenRecord
}

/** Up to when a peer, or whoever reads the hub, may have what this daemon said: that is never said again under another id. */
export class MayHave {
  readonly #deps: MayHaveDeps
  /** What it said that it took. */
  #tookUntil: Stamp = EARLIEST
  /** It is on disk that the peer may have what was said until then. */
  #rememberedUntil: Stamp = EARLIEST

  constructor(deps: MayHaveDeps) {
    this.#deps = deps
  }

  /**
   * To be awaited before it is sent statements; `theirNow` is what its clock shows at most. Returns those that are
   * still here: what was said again meanwhile is not to be sent any more.
   */
  async remember(
    statements: readonly Statement[],
    theirNow: Stamp | undefined,
  ): Promise<readonly Statement[]> {
    const { given, store, view } = this.#deps
    const takes = (at: Stamp) => theirNow === undefined || at <= latestAcceptedTime(theirNow)
    const until = latest(statements.filter((one) => this.#isOwn(one) && takes(one.at)).map(({ at }) => at))
    if (until <= this.#rememberedUntil) return statements
    const kept = await store.commit((now) => ({
      result: statements.filter(({ project_id, id }) => now.projects.get(project_id)?.said.get(id)),
      local: given.remembering(now, until),
    }))
    this.#rememberedUntil = given.until(view)
    return kept
  }

  /** Returns whether that is to be saved. */
  noteTaken(statement: Statement): boolean {
    if (!this.#isOwn(statement) || statement.at <= latest([this.#tookUntil, this.#rememberedUntil]))
      return false
    this.#tookUntil = statement.at
    return true
  }

  /** It may also have fetched something. */
  state(view: View): Pick<LinkState, 'took_until'> {
    const until = latest([this.#tookUntil, this.#deps.given.until(view)])
    return until === EARLIEST ? {} : { took_until: until }
  }

  #isOwn({ key }: Statement): boolean {
    return key === this.#deps.self.signer.keyId
  }
}
