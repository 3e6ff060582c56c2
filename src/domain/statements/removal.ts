import { z } from 'zod'
import { kind } from './kind.ts'
import { StatementId } from './statement.ts'
import { byPerson } from './words.ts'

/** Takes the naming of a repo back. Without effect while somebody's claim of the repo is in effect. */
export const removal = kind({
  name: 'removal',
  family: 'fact',
  voices: ['founder', 'repo'],
  body: z.looseObject({ naming: StatementId, ...byPerson }),
  cites: ({ naming }) => [{ id: naming, kinds: ['repo'], isAboutSame: true }],
})
