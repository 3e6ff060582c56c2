import { z } from 'zod'
import { Text, Visibility } from '../../protocol/words.ts'
import { isForeign, projectIdOf } from './certified-id.ts'
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
  problem: ({ statement, body: { nonce } }) =>
    statement.about === statement.project_id &&
    (statement.project_id === projectIdOf({ ...statement, nonce }) || isForeign(statement.about, statement))
      ? undefined
      : 'project_id does not come from this key, time and nonce',
})
