import type { LocalChange } from '../../../domain/change.ts'
import type { LinkState } from '../../../domain/model.ts'
import { latestAcceptedTime } from '../../../domain/speaking/redate.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import type { View } from '../../../domain/view.ts'
import { EARLIEST, latest, type Stamp } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'

interface MayHaveDeps extends Pick<Parts, 'self' | 'store' | 'view'> {
  /** Where it is remembered up to when somebody may have what this daemon said. */
  given: {
    until(view: View): Stamp
    remembering(view: View, until: Stamp): readonly LocalChange[]
  }
}

export type MayHave = ReturnType<typeof createMayHave>

/** Up to when a peer, or whoever reads the hub, may have what this daemon said: that is never said again under another id. */
export function createMayHave({ self, store, view, given }: MayHaveDeps) {
  /** What it said that it took. */
  let tookUntil: Stamp = EARLIEST
  /** It is on disk that the peer may have what was said until then. */
  let rememberedUntil: Stamp = EARLIEST

  return {
    /**
     * To be awaited before it is sent statements; `theirNow` is what its clock shows at most. Returns those that are
     * still here: what was said again meanwhile is not to be sent any more.
     */
    async remember(
      statements: readonly Statement[],
      theirNow: Stamp | undefined,
    ): Promise<readonly Statement[]> {
      const takes = (at: Stamp) => theirNow === undefined || at <= latestAcceptedTime(theirNow)
      const until = latest(statements.filter((one) => isOwn(one) && takes(one.at)).map(({ at }) => at))
      if (until <= rememberedUntil) return statements
      const kept = await store.commit((now) => ({
        result: statements.filter(({ project_id, id }) => now.projects.get(project_id)?.said.get(id)),
        local: given.remembering(now, until),
      }))
      rememberedUntil = given.until(view)
      return kept
    },

    /** Returns whether that is to be saved. */
    noteTaken(statement: Statement): boolean {
      if (!isOwn(statement) || statement.at <= latest([tookUntil, rememberedUntil])) return false
      tookUntil = statement.at
      return true
    },

    /** It may also have fetched something. */
    state(now: View): Pick<LinkState, 'took_until'> {
      const until = latest([tookUntil, given.until(now)])
      return until === EARLIEST ? {} : { took_until: until }
    },
  }

  function isOwn({ key }: Statement): boolean {
    return key === self.signer.keyId
  }
}
