import { repoName, repoNames } from '../contract/next-step.ts'
import { quoted } from '../names/quoted.ts'
import { authorLabel, type Reader } from '../speaking/author.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, RepoEntity } from '../views/entities.ts'
import { contractName, idsOf, namesOf } from './lines.ts'

/** The lines of a brief that introduce a project to a newcomer. */

const NAME_LENGTH = 80
const OBJECTIVE_LENGTH = 300
const MOST_REPOS = 8

export function projectLine(found: ProjectView, reader: Reader): string {
  const { project_id: projectId, name, objective } = found.project
  const repos = [...found.repos.oldestFirst()]
  const more = repos.length - MOST_REPOS
  const listed = repos.slice(0, MOST_REPOS).map((repo) => repoLabel(repo, found, reader))
  return [
    `- project ${quoted(name, NAME_LENGTH)}`,
    objective.trim() === '' ? '' : `, objective ${quoted(objective, OBJECTIVE_LENGTH)}`,
    listed.length === 0 ? '' : `; repos ${listed.join(', ')}`,
    more > 0 ? ` and ${more} more` : '',
    ` (${idsOf({ projectId, about: { kind: 'project', id: projectId } })})`,
  ].join('')
}

const repoLabel = ({ repo_id, name, holder }: RepoEntity, found: ProjectView, reader: Reader): string =>
  holder === undefined
    ? `${quoted(name, NAME_LENGTH)} (not joined)`
    : authorLabel({ repo: repoName(found, repo_id), agentId: holder.agent_id }, reader)

/** The revision in force with its parties, and the status of a newer proposal. */
export function inForceLine(contract: ContractEntity, found: ProjectView): string {
  const { contract_id: id, name, head, in_force, status } = contract
  const { revision, status: progress } = in_force ?? { revision: head, status }
  const parties = repoNames(found, revision.parties)
  return [
    `- ${contractName({ kind: 'contract', id, name, version: revision.version })}, ${progress}`,
    parties.length === 0 ? '' : `, between ${namesOf(parties)}`,
    revision.id === head.id ? '' : `; version ${head.version} is ${status}`,
    ` (${idsOf({ projectId: found.project.project_id, about: { kind: 'contract', id } })})`,
  ].join('')
}
