import { z } from 'zod'
import { kind } from './kind.ts'
import { byPerson } from './words.ts'

/** Ends the claim that it is made under. */
export const release = kind({
  name: 'release',
  family: 'fact',
  voices: ['repo'],
  body: z.looseObject({ ...byPerson }),
  problem: ({ statement, root }) =>
    statement.about === root.about ? undefined : 'is about another repo than the one that says it',
})
