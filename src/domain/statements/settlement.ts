import * as z from 'zod'
import { LIMITS } from '../../protocol/limits.ts'
import { kind } from './kind.ts'
import { byPerson } from './shared-fields.ts'
import { StampText, StatementId } from './statement.ts'

/** Decides which claim holds a repo, or none, and until when statements under the other claims count. */
export const settlement = kind({
  name: 'settlement',
  family: 'fact',
  madeBy: ['founder', 'repo'],
  body: z.looseObject({
    holder: StatementId.nullable(),
    ended: z
      .array(z.strictObject({ claim: StatementId, until: StampText.nullable() }))
      .max(LIMITS.listItems)
      .readonly(),
    /** Ended claims whose statements count until that time even if an earlier release or rotation says otherwise. */
    restored: z.array(StatementId).max(LIMITS.listItems).readonly().optional(),
    ...byPerson,
  }),
  // `ended` is not cited: a daemon refuses further claims of a key that made too many, so the losing agent could
  // block the settlement elsewhere by making ever more claims. An id that is no claim of the repo has no effect.
  cites: ({ holder }) => (holder === null ? [] : [{ id: holder, kinds: ['claim'], isAboutSame: true }]),
  problem: ({ body: { holder, ended } }) =>
    ended.some(({ claim }) => claim === holder) ? 'ended names the holder' : undefined,
})
