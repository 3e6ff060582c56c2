import {
  type Change,
  contractChange,
  type DocumentedChange,
  packetChange,
  projectChange,
  receiptChange,
  repoChange,
} from './change.ts'
import type { ProjectView } from './view.ts'

/** Names an entity. */
export type EntityName = Pick<Change, 'kind' | 'project_id' | 'id'>

/** Names one that a plain peer may hear of. */
export type DocumentedName = Pick<DocumentedChange, 'kind' | 'project_id' | 'id'>

/** Everything in a project that the document knows of, the project first. */
export function* namesIn({ project, repos, contracts, packets }: ProjectView): Iterable<DocumentedName> {
  const { project_id } = project
  yield { kind: 'project', project_id, id: project_id }
  for (const { repo_id: id } of repos.oldestFirst()) yield { kind: 'repo', project_id, id }
  for (const { contract_id: id } of contracts.oldestFirst()) yield { kind: 'contract', project_id, id }
  for (const { packet_id: id } of packets.oldestFirst()) yield { kind: 'packet', project_id, id }
}

export function entityIn(found: ProjectView, { kind, project_id, id }: EntityName): Change | undefined {
  switch (kind) {
    case 'project':
      return projectChange(found.project)
    case 'repo': {
      const repo = found.repos.get(id)
      return repo && repoChange(project_id, repo)
    }
    case 'contract': {
      const contract = found.contracts.get(id)
      return contract && contractChange(project_id, contract)
    }
    case 'packet': {
      const packet = found.packets.get(id)
      return packet && packetChange(project_id, packet)
    }
    case 'receipt': {
      const receipt = found.receipts.get(id)
      return receipt && receiptChange(project_id, receipt)
    }
    default:
      return kind satisfies never
  }
}
