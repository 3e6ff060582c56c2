import { z } from 'zod'
import { kind } from './kind.ts'
import {
  AgentName,
  byPerson,
  Endpoints,
  Label,
  PublicKeyShape,
  repoIdOf,
  reportedBy,
} from './shared-fields.ts'

/**
 * Claims that this key speaks for that repo. Whether it does follows from all claims, confirmations and settlements.
 */
export const claim = kind({
  name: 'claim',
  family: 'fact',
  madeBy: [],
  body: z.looseObject({
    public_key: PublicKeyShape,
    agent_id: AgentName,
    endpoint: Endpoints,
    repo_name: Label,
    ...reportedBy,
    ...byPerson,
  }),
  introduces: ({ public_key }) => public_key,
  problem: ({ statement: { about, project_id }, body: { repo_name } }) =>
    about === repoIdOf(project_id, repo_name) ? undefined : 'about does not come from this repo_name',
})
