import { z } from 'zod'
import { LIMITS } from '../../protocol/limits.ts'
import { Id, Text, VerificationResult } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { StatementId } from './statement.ts'
import { byPerson, Details } from './words.ts'

/** Whether the parts fit, and which work it looked at. Work is a register, so that it is named but not cited. */
export const verification = kind({
  name: 'verification',
  family: 'fact',
  voices: ['repo'],
  body: z.looseObject({
    revision: StatementId,
    result: VerificationResult,
    judged: z
      .array(z.strictObject({ repo_id: Id, work: StatementId }))
      .max(LIMITS.repos)
      .readonly(),
    /** Repos whose work failed; where none is named, all whose work was judged. */
    blames: z.array(Id).max(LIMITS.repos).readonly(),
    ...byPerson,
  }),
  content: z.looseObject({ notes: Text, failure_details: Details }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
})
