import * as z from 'zod'
import { Text, Visibility } from '../../protocol/words.ts'
import { hasCertifiedId, isForeignId, WRONG_OPENING_ID } from './certified-id.ts'
import { kind } from './kind.ts'
import { introduced, Label, Nonce } from './shared-fields.ts'

/** Founds a project. The project's id is derived from it, and its key confirms who speaks for which repo. */
export const project = kind({
  name: 'project',
  family: 'fact',
  madeBy: [],
  body: z.looseObject({ ...introduced, name: Label, objective: Text, visibility: Visibility, nonce: Nonce }),
  introduces: ({ public_key }) => public_key,
  problem: ({ statement }) =>
    statement.about === statement.project_id &&
    (hasCertifiedId(statement) || isForeignId(statement.about, statement))
      ? undefined
      : WRONG_OPENING_ID,
})
