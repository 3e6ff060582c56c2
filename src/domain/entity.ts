import type { EntityKind, EntityName } from './change.ts'
import type { Statement } from './statements/statement.ts'
import type { ProjectView } from './view.ts'
import type { ContractEntity, PacketEntity, ProjectEntity, RepoEntity } from './views/entities.ts'

const ENTITY_OF: Readonly<Record<string, EntityKind>> = {
  project: 'project',
  title: 'project',
  repo: 'repo',
  removal: 'repo',
  description: 'repo',
  claim: 'repo',
  release: 'repo',
  confirmation: 'repo',
  settlement: 'repo',
  revision: 'contract',
  answer: 'contract',
  work: 'contract',
  verification: 'contract',
  withdrawal: 'contract',
  expectation: 'contract',
  tree: 'contract',
  merged: 'contract',
  packet: 'packet',
  sighting: 'receipt',
}

export const entityKey = ({ kind, project_id, id }: EntityName): string => `${kind} ${project_id} ${id}`

/** The entity that a statement changes. */
export const entityOf = (statement: Statement, isPacket: (id: string) => boolean): EntityName => ({
  kind: entityKindOf(statement, isPacket),
  project_id: statement.project_id,
  id: statement.about,
})

export function entityKindOf(
  { kind, about, project_id }: Statement,
  isPacket: (id: string) => boolean,
): EntityKind {
  if (kind === 'redaction') return isPacket(about) ? 'packet' : 'contract'
  if (kind === 'rotation') return about === project_id ? 'project' : 'repo'
  return ENTITY_OF[kind] ?? 'other'
}

/** Names of all entities of a project that the CACP document defines, the project first. */
export function* namesIn({ project, repos, contracts, packets }: ProjectView): Iterable<EntityName> {
  const { project_id } = project
  yield { kind: 'project', project_id, id: project_id }
  for (const { repo_id: id } of repos.oldestFirst()) yield { kind: 'repo', project_id, id }
  for (const { contract_id: id } of contracts.oldestFirst()) yield { kind: 'contract', project_id, id }
  for (const { packet_id: id } of packets.oldestFirst()) yield { kind: 'packet', project_id, id }
}

/** An entity that has a name for people, with its kind. */
export type NamedEntity =
  | { readonly kind: 'project'; readonly value: ProjectEntity }
  | { readonly kind: 'repo'; readonly value: RepoEntity }
  | { readonly kind: 'contract'; readonly value: ContractEntity }
  | { readonly kind: 'packet'; readonly value: PacketEntity }

/** Undefined if it is not there, or has no name. */
export function entityIn(
  found: ProjectView,
  { kind, id }: Pick<EntityName, 'kind' | 'id'>,
): NamedEntity | undefined {
  const value = VALUES[kind](found, id)
  return value && ({ kind, value } as NamedEntity)
}

const VALUES: Readonly<
  Record<EntityKind, (found: ProjectView, id: string) => NamedEntity['value'] | undefined>
> = {
  project: ({ project }) => project,
  repo: ({ repos }, id) => repos.get(id),
  contract: ({ contracts }, id) => contracts.get(id),
  packet: ({ packets }, id) => packets.get(id),
  receipt: () => undefined,
  other: () => undefined,
}
