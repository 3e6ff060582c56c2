import * as z from 'zod'
import { Endpoint } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { byPerson, Label, Paths, repoIdOf } from './shared-fields.ts'

/** The description of a repo, as whoever names it or its own agent gives it. */
export const aboutRepo = {
  role: Label,
  language: Label,
  relevant_paths: Paths,
  url: Endpoint.nullable(),
}

/** Names a repo in the project. */
export const repo = kind({
  name: 'repo',
  family: 'fact',
  madeBy: ['founder', 'repo'],
  body: z.looseObject({ name: Label, ...aboutRepo, ...byPerson }),
  problem: ({ statement: { about, project_id }, body: { name } }) =>
    about === repoIdOf(project_id, name) ? undefined : 'about does not come from this name',
})
