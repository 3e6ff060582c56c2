import { z } from 'zod'
import { kind } from './kind.ts'
import { StatementId } from './statement.ts'
import { byPerson } from './words.ts'

/** The author of the first version takes a contract back. Without effect once something of it was agreed. */
export const withdrawal = kind({
  name: 'withdrawal',
  family: 'fact',
  voices: ['repo'],
  body: z.looseObject({ revision: StatementId, ...byPerson }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
  problem: ({ cited: [first] }) =>
    first?.body['parent'] === null ? undefined : 'revision is not the first of its contract',
})
