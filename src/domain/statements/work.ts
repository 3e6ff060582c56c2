import * as z from 'zod'
import { Endpoint, Text } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { byPerson, Paths } from './shared-fields.ts'
import { StampText, StatementId } from './statement.ts'

/** The progress of a repo's part of a revision. */
export const work = kind({
  name: 'work',
  family: 'register',
  madeBy: ['repo'],
  body: z.looseObject({
    revision: StatementId,
    status: z.enum(['in_progress', 'complete']),
    started_at: StampText,
    files: Paths,
    estimated_files: Paths,
    ...byPerson,
  }),
  content: z.looseObject({ plan: Text, notes: Text, test_endpoint: Endpoint.nullable() }),
  register: ({ revision }) => revision,
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
})
