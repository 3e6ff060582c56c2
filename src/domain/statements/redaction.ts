import * as z from 'zod'
import { Text } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { byPerson } from './shared-fields.ts'
import { StatementId } from './statement.ts'

/** Removes the content of one of the author's own statements. No effect on a revision in force. */
export const redaction = kind({
  name: 'redaction',
  family: 'fact',
  madeBy: ['repo'],
  body: z.looseObject({ of: StatementId, reason: Text, ...byPerson }),
  cites: ({ of }) => [{ id: of, kinds: ['revision', 'answer', 'verification', 'packet'], isAboutSame: true }],
  problem: ({ cited: [of], root, rootOf }) =>
    of !== undefined && rootOf(of).id === root.id ? undefined : 'of is a statement of somebody else',
})
