import * as z from 'zod'
import { LIMITS } from '../../protocol/limits.ts'
import { kind } from './kind.ts'
import { namesRegister } from './register-name.ts'
import { byPerson } from './shared-fields.ts'
import { StatementId } from './statement.ts'

/** Which version of a contract the main branch of a repo has. */
export const merged = kind({
  name: 'merged',
  family: 'register',
  madeBy: ['repo'],
  body: z.looseObject({
    ...namesRegister,
    revision: StatementId,
    /** The commit that brought it, as the repo calls it. */
    commit: z.string().min(1).max(LIMITS.nameLength).nullable(),
    ...byPerson,
  }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
})
