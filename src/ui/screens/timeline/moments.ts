import type { FeedEvent } from '../../../domain/feed/feed.ts'
import type { ResultOf } from '../../../methods/table.ts'
import type { Sentence } from '../../text/sentence.ts'
import { momentsOfContract } from './contract-moments.ts'
import type { Contract, Moment, Packet } from './moment.ts'
import { momentsOfPacket } from './packet-moments.ts'

type Project = ResultOf<'cacp/project/get'>
type Repo = Project['repos'][number]

/** What an entity tells of its past: each moment that it still knows. */
export function momentsOf({ kind, projectId, id, at, value }: FeedEvent): Moment[] {
  if (value['gone'] === true) return kind === 'repo' ? [removed({ projectId, id, at })] : []
  // The daemon that sends the page sends the entity: both are of one version.
  const entity = value as unknown
  switch (kind) {
    case 'contract':
      return momentsOfContract(entity as Contract, projectId)
    case 'packet':
      return momentsOfPacket(entity as Packet, projectId)
    case 'repo':
      return momentsOfRepo(entity as Repo, projectId)
    case 'project':
      return momentsOfProject(entity as Project)
    case 'receipt':
      return []
  }
}

const JOINED = { kind: 'joined', icon: 'person', tone: 'calm', isByPerson: false, about: null } as const

const removed = ({ projectId, id, at }: Pick<FeedEvent, 'projectId' | 'id' | 'at'>): Moment => ({
  ...JOINED,
  key: `${id} removed`,
  at,
  projectId,
  repoId: id,
  agentId: null,
  sentence: ['was removed from the project'],
})

function momentsOfRepo({ repo_id, claims }: Repo, projectId: string): Moment[] {
  const about = { ...JOINED, projectId, repoId: repo_id }
  return claims.flatMap(({ claim_id, agent_id, claimed_at, released_at, standing }) => {
    const joined: Moment = {
      ...about,
      key: `${claim_id} joined`,
      at: claimed_at,
      agentId: agent_id,
      sentence: standing === 'outranked' ? ['was claimed too late by ', { quoted: agent_id }] : ['joined'],
    }
    if (released_at === null) return [joined]
    const left: Sentence = ['was left by its agent ', { quoted: agent_id }]
    return [{ ...about, key: `${claim_id} left`, at: released_at, agentId: agent_id, sentence: left }, joined]
  })
}

function momentsOfProject({ project_id, name, created_at, created_by, archived_by }: Project): Moment[] {
  const about = { ...JOINED, projectId: project_id, repoId: null }
  const created: Moment = {
    ...about,
    key: `${project_id} created`,
    at: created_at,
    agentId: created_by,
    sentence: ['created the project ', { quoted: name }],
  }
  if (archived_by === undefined) return [created]
  const { repo_id: repoId, agent_id: agentId, at } = archived_by
  const sentence: Sentence = ['archived the project ', { quoted: name }]
  return [{ ...about, key: `${project_id} archived`, at, repoId, agentId, sentence }, created]
}
