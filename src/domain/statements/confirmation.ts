import { z } from 'zod'
import { kind } from './kind.ts'
import { StatementId } from './statement.ts'

/** The founder's daemon saw this claim of the repo first. */
export const confirmation = kind({
  name: 'confirmation',
  family: 'fact',
  voices: ['founder'],
  body: z.looseObject({ claim: StatementId }),
  cites: ({ claim }) => [{ id: claim, kinds: ['claim'], isAboutSame: true }],
})
