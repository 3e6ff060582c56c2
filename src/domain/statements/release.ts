import * as z from 'zod'
import { kind } from './kind.ts'
import { byPerson } from './shared-fields.ts'

/** Ends the claim under which it is made. */
export const release = kind({
  name: 'release',
  family: 'fact',
  madeBy: ['repo'],
  body: z.looseObject({ ...byPerson }),
  problem: ({ statement, root }) =>
    statement.about === root.about ? undefined : 'is about another repo than the one that says it',
})
