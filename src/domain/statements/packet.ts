import * as z from 'zod'
import { FreeObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ContextType, Id } from '../../protocol/words.ts'
import { hasCertifiedId, isForeignId, WRONG_OPENING_ID } from './certified-id.ts'
import { kind } from './kind.ts'
import { byPerson, Nonce } from './shared-fields.ts'

/** Something that the other repositories need to know. */
export const packet = kind({
  name: 'packet',
  family: 'fact',
  madeBy: ['repo'],
  body: z.looseObject({
    type: ContextType,
    related_contracts: z.array(Id).max(LIMITS.listItems).readonly(),
    reply_to: Id.nullable(),
    nonce: Nonce,
    ...byPerson,
  }),
  content: FreeObject,
  problem: ({ statement, root }) =>
    hasCertifiedId(statement) || isForeignId(statement.about, root) ? undefined : WRONG_OPENING_ID,
})
