import * as z from 'zod'
import { kind } from './kind.ts'
import { Endpoints, introduced, Label, repoIdOf } from './shared-fields.ts'

/** Claims that this key speaks for a repo. Whether it does follows from all claims, confirmations and settlements. */
export const claim = kind({
  name: 'claim',
  family: 'fact',
  madeBy: [],
  body: z.looseObject({ ...introduced, endpoint: Endpoints, repo_name: Label }),
  introduces: ({ public_key }) => public_key,
  problem: ({ statement: { about, project_id }, body: { repo_name } }) =>
    about === repoIdOf(project_id, repo_name) ? undefined : 'about does not come from this repo_name',
})
