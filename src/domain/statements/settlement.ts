import { z } from 'zod'
import { LIMITS } from '../../protocol/limits.ts'
import { kind } from './kind.ts'
import { StampText, StatementId } from './statement.ts'
import { byPerson } from './words.ts'

/** Says who holds a repo, or nobody, and how much of what was said under other claims of it still counts. */
export const settlement = kind({
  name: 'settlement',
  family: 'fact',
  voices: ['founder', 'repo'],
  body: z.looseObject({
    holder: StatementId.nullable(),
    ended: z
      .array(z.strictObject({ claim: StatementId, until: StampText.nullable() }))
      .max(LIMITS.listItems)
      .readonly(),
    /** Of those that it ends: what was said after a release or a new key that was dated back counts until then, too. */
    restored: z.array(StatementId).max(LIMITS.listItems).readonly().optional(),
    ...byPerson,
  }),
  // Not what it ends: a daemon refuses claims of a key that said too much, so that whoever is to lose a repo could keep
  // the settlement from others by claiming ever more. A name that is no claim of the repo has no effect.
  cites: ({ holder }) => (holder === null ? [] : [{ id: holder, kinds: ['claim'], isAboutSame: true }]),
  problem: ({ body: { holder, ended } }) =>
    ended.some(({ claim }) => claim === holder) ? 'ended names the holder' : undefined,
})
