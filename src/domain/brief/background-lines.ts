import { repoNames } from '../contract/next-step.ts'
import { quoted } from '../names/quoted.ts'
import { authorByRepo, authorLabel, type Reader } from '../speaking/author.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, RepoEntity } from '../views/entities.ts'
import { contractName, idsOf, namesOf } from './lines.ts'

/** The lines of a brief that tell what a project is about, for who comes new to it. */

/** Characters of its name, and of what it is for. */
const NAME = 80
const OBJECTIVE = 300
/** Repos that are told of. */
const REPOS = 8

export function projectLine(found: ProjectView, reader: Reader): string {
  const { project_id: projectId, name, objective } = found.project
  const repos = [...found.repos.oldestFirst()]
  const more = repos.length - REPOS
  const told = repos.slice(0, REPOS).map((repo) => tellRepo(repo, found, reader))
  return [
    `- project ${quoted(name, NAME)}`,
    objective.trim() === '' ? '' : `, objective ${quoted(objective, OBJECTIVE)}`,
    told.length === 0 ? '' : `; repos ${told.join(', ')}`,
    more > 0 ? ` and ${more} more` : '',
    ` (${idsOf({ projectId, about: { kind: 'project', id: projectId } })})`,
  ].join('')
}

const tellRepo = ({ repo_id, name, holder }: RepoEntity, found: ProjectView, reader: Reader): string =>
  holder === undefined
    ? `${quoted(name, NAME)} (not joined)`
    : authorLabel(authorByRepo(repo_id, holder.agent_id, found), reader)

/** What holds now, between whom, and what is proposed beside it. */
export function inForceLine(contract: ContractEntity, found: ProjectView): string {
  const { contract_id: id, name, head, in_force, status } = contract
  const { revision, status: far } = in_force ?? { revision: head, status }
  const parties = repoNames(found, revision.parties)
  return [
    `- ${contractName({ kind: 'contract', id, name, version: revision.version })}, ${far}`,
    parties.length === 0 ? '' : `, between ${namesOf(parties)}`,
    revision.id === head.id ? '' : `; version ${head.version} is ${status}`,
    ` (${idsOf({ projectId: found.project.project_id, about: { kind: 'contract', id } })})`,
  ].join('')
}
