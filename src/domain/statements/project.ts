import { z } from 'zod'
import { Text, Visibility } from '../../protocol/words.ts'
import { projectIdOf } from './certified-id.ts'
import { kind } from './kind.ts'
import { AgentName, byPerson, Label, Nonce, PublicKeyShape } from './words.ts'

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
    ...byPerson,
  }),
  introduces: ({ public_key }) => public_key,
  problem: ({ statement: { project_id, about, at, key }, body: { nonce } }) =>
    about === project_id && project_id === projectIdOf({ at, key, nonce })
      ? undefined
      : 'project_id does not come from this key, time and nonce',
})
