import { z } from 'zod'
import { kind } from './kind.ts'
import { aboutRepo } from './repo.ts'
import { byPerson, Endpoints, Label } from './words.ts'

/** What a repo says of itself. `shown_name` renames it; its id and the name that it was claimed by stay. */
export const description = kind({
  name: 'description',
  family: 'register',
  voices: ['repo'],
  body: z.looseObject({ ...aboutRepo, shown_name: Label.optional(), endpoint: Endpoints, ...byPerson }),
  problem: ({ statement, root }) =>
    statement.about === root.about ? undefined : 'is about another repo than the one that says it',
})
