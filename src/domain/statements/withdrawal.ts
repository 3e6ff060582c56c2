import * as z from 'zod'
import { kind } from './kind.ts'
import { byPerson } from './shared-fields.ts'
import { StatementId } from './statement.ts'

/** The author of the first version takes a contract back. No effect once a version of it was agreed. */
export const withdrawal = kind({
  name: 'withdrawal',
  family: 'fact',
  madeBy: ['repo'],
  body: z.looseObject({ revision: StatementId, ...byPerson }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
  problem: ({ cited: [first] }) =>
    first?.body['parent'] === null ? undefined : 'revision is not the first of its contract',
})
