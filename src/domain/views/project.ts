import { latest } from '../../protocol/stamp.ts'
import { bodyOf } from '../statements/kind.ts'
import { project as projectKind } from '../statements/project.ts'
import { newestOf, type Statement } from '../statements/statement.ts'
import { title as titleKind } from '../statements/title.ts'
import type { ProjectEntity } from './entities.ts'
import type { Speakers } from './speakers.ts'

interface TitleValues {
  name: string
  objective: string
  archived: boolean
}

export function foldProject(
  founding: Statement,
  titles: readonly Statement[],
  speakers: Speakers,
): ProjectEntity {
  const { name, objective, visibility, agent_id, reported_by } = bodyOf(projectKind, founding)
  const counting = titles.filter((one) => speakers.wordOf(one).counts)
  const newest = <Field extends keyof TitleValues>(field: Field) => {
    const found = newestOf(counting.filter((one) => bodyOf(titleKind, one).field === field))
    return found && (bodyOf(titleKind, found).value as TitleValues[Field])
  }
  return {
    project_id: founding.project_id,
    name: newest('name') ?? name,
    objective: newest('objective') ?? objective,
    archived: newest('archived') ?? false,
    visibility,
    created_at: founding.at,
    created_by: agent_id,
    founder: speakers.speaksBy(founding),
    reported_by,
    updated_at: latest([founding.at, ...counting.map(({ at }) => at)]),
  }
}
