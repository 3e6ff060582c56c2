import { z } from 'zod'
import { Endpoint, Text } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { StampText, StatementId } from './statement.ts'
import { byPerson, Paths } from './words.ts'

/** How far a repo is with its part of a revision. */
export const work = kind({
  name: 'work',
  family: 'register',
  voices: ['repo'],
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
