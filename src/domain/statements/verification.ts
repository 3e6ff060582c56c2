import * as z from 'zod'
import { LIMITS } from '../../protocol/limits.ts'
import { Id, Text, VerificationResult } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { byPerson, Details } from './shared-fields.ts'
import { StatementId } from './statement.ts'

/** Whether the implementations fit together. The work that was verified is named, not cited: it is a register. */
export const verification = kind({
  name: 'verification',
  family: 'fact',
  madeBy: ['repo'],
  body: z.looseObject({
    revision: StatementId,
    result: VerificationResult,
    judged: z
      .array(z.strictObject({ repo_id: Id, work: StatementId }))
      .max(LIMITS.repos)
      .readonly(),
    /** Repos whose work failed; if empty, all whose work was verified. */
    blames: z.array(Id).max(LIMITS.repos).readonly(),
    ...byPerson,
  }),
  content: z.looseObject({ notes: Text, failure_details: Details }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
})
