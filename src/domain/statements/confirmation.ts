import * as z from 'zod'
import { kind } from './kind.ts'
import { StatementId } from './statement.ts'

/** The founder confirms that this claim of the repo reached its daemon first. */
export const confirmation = kind({
  name: 'confirmation',
  family: 'fact',
  madeBy: ['founder'],
  body: z.looseObject({ claim: StatementId }),
  cites: ({ claim }) => [{ id: claim, kinds: ['claim'], isAboutSame: true }],
})
