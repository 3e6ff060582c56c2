import * as z from 'zod'
import { kind } from './kind.ts'
import { aboutRepo } from './repo.ts'
import { byPerson, Endpoints, Label } from './shared-fields.ts'

/** What a repo's own agent says about it. `shown_name` is for display; its id and the name in its claims stay. */
export const description = kind({
  name: 'description',
  family: 'register',
  madeBy: ['repo'],
  body: z.looseObject({ ...aboutRepo, shown_name: Label.optional(), endpoint: Endpoints, ...byPerson }),
  problem: ({ statement, root }) =>
    statement.about === root.about ? undefined : 'is about another repo than the one that says it',
})
