import { z } from 'zod'
import { ResponseAction, Text } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { byPerson, Details } from './shared-fields.ts'
import { StatementId } from './statement.ts'

/** Agrees to a revision, asks for a change of it, or rejects it. */
export const answer = kind({
  name: 'answer',
  family: 'fact',
  madeBy: ['repo'],
  body: z.looseObject({ revision: StatementId, action: ResponseAction, ...byPerson }),
  content: z.looseObject({ comment: Text, suggested_change: Details }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
})
