import { latest } from '../../protocol/stamp.ts'
import { bodyOf } from '../statements/kind.ts'
import { project as projectKind } from '../statements/project.ts'
import { newestOf, type Statement } from '../statements/statement.ts'
import { title as titleKind } from '../statements/title.ts'
import type { Speakers } from './speakers.ts'

interface TitleValues {
  name: string
  objective: string
  archived: boolean
}

export function foldProject(founding: Statement, titles: readonly Statement[], speakers: Speakers) {
  const { name, objective, visibility, agent_id, reported_by } = bodyOf(projectKind, founding)
  const counting = titles.filter((one) => speakers.authorshipOf(one).counts)
  const said = (field: keyof TitleValues) =>
    newestOf(counting.filter((one) => bodyOf(titleKind, one).field === field))
  const newest = <Field extends keyof TitleValues>(field: Field) => {
    const found = said(field)
    return found && (bodyOf(titleKind, found).value as TitleValues[Field])
  }
  const archived = newest('archived') ?? false
  return {
    project_id: founding.project_id,
    name: newest('name') ?? name,
    objective: newest('objective') ?? objective,
    archived,
    archived_by: archived ? archivedBy(said('archived'), speakers) : undefined,
    visibility,
    created_at: founding.at,
    created_by: agent_id,
    /** The key and introduction by which the founder speaks now. */
    founder: speakers.speaksBy(founding),
    reported_by,
    updated_at: latest([founding.at, ...counting.map(({ at }) => at)]),
  }
}

function archivedBy(said: Statement | undefined, speakers: Speakers) {
  if (said === undefined) return undefined
  const { repo_id, agent_id } = speakers.authorshipOf(said)
  return { repo_id, agent_id, at: said.at }
}
