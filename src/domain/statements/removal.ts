import * as z from 'zod'
import { kind } from './kind.ts'
import { byPerson } from './shared-fields.ts'
import { StatementId } from './statement.ts'

/** Takes back the naming of a repo. No effect while a claim of the repo is in effect. */
export const removal = kind({
  name: 'removal',
  family: 'fact',
  madeBy: ['founder', 'repo'],
  body: z.looseObject({ naming: StatementId, ...byPerson }),
  cites: ({ naming }) => [{ id: naming, kinds: ['repo'], isAboutSame: true }],
})
