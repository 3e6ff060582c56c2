import { z } from 'zod'
import { Text, Visibility } from '../../protocol/words.ts'
import { isForeign, NOT_ITS_OWN, opensItsOwn } from './certified-id.ts'
import { kind } from './kind.ts'
import { AgentName, byPerson, Label, Nonce, PublicKeyShape, reportedBy } from './words.ts'

/** Founds a project. The founder's key gives it its id, and confirms who speaks for which repo. */
export const project = kind({
  name: 'project',
  family: 'fact',
  voices: [],
  body: z.looseObject({
    public_key: PublicKeyShape,
    agent_id: AgentName,
    name: Label,
    objective: Text,
    visibility: Visibility,
    nonce: Nonce,
    ...reportedBy,
    ...byPerson,
  }),
  introduces: ({ public_key }) => public_key,
  problem: ({ statement }) =>
    statement.about === statement.project_id &&
    (opensItsOwn(statement) || isForeign(statement.about, statement))
      ? undefined
      : NOT_ITS_OWN,
})
