import { z } from 'zod'
import { FreeObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ContextType, Id } from '../../protocol/words.ts'
import { isForeign, NOT_ITS_OWN, opensItsOwn } from './certified-id.ts'
import { kind } from './kind.ts'
import { byPerson, Nonce } from './words.ts'

/** Something that the others need to know. */
export const packet = kind({
  name: 'packet',
  family: 'fact',
  voices: ['repo'],
  body: z.looseObject({
    type: ContextType,
    related_contracts: z.array(Id).max(LIMITS.listItems).readonly(),
    reply_to: Id.nullable(),
    nonce: Nonce,
    ...byPerson,
  }),
  content: FreeObject,
  problem: ({ statement, root }) =>
    opensItsOwn(statement) || isForeign(statement.about, root) ? undefined : NOT_ITS_OWN,
})
