import * as z from 'zod'
import { Text } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { byPerson, Label } from './shared-fields.ts'

/** The name of a project, its objective, and whether it is archived: three registers, which any member may set. */
export const title = kind({
  name: 'title',
  family: 'register',
  madeBy: ['founder', 'repo'],
  body: z.discriminatedUnion('field', [
    z.looseObject({ field: z.literal('name'), value: Label, ...byPerson }),
    z.looseObject({ field: z.literal('objective'), value: Text, ...byPerson }),
    z.looseObject({ field: z.literal('archived'), value: z.boolean(), ...byPerson }),
  ]),
  register: ({ field }) => field,
  problem: ({ statement: { about, project_id } }) =>
    about === project_id ? undefined : 'about must be the project',
})
