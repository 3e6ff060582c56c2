import { z } from 'zod'
import { Text } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { StatementId } from './statement.ts'
import { byPerson } from './words.ts'

/** Takes away the content of one of the author's own statements. Without effect on a revision in force. */
export const redaction = kind({
  name: 'redaction',
  family: 'fact',
  voices: ['repo'],
  body: z.looseObject({ of: StatementId, reason: Text, ...byPerson }),
  cites: ({ of }) => [{ id: of, kinds: ['revision', 'answer', 'verification', 'packet'], isAboutSame: true }],
  problem: ({ cited: [of], root, rootOf }) =>
    of !== undefined && rootOf(of).id === root.id ? undefined : 'of is a statement of somebody else',
})
