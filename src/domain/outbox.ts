import type { Stamp } from '../protocol/stamp.ts'
import type { Change } from './change.ts'
import { contractStamp } from './contract.ts'
import { packetStamp, projectStamp } from './project.ts'
import { repoStamp } from './repo.ts'

/** Something that a peer has not got. */
export interface Undelivered {
  readonly agentId: string
  readonly repo: string
  readonly kind: Change['kind']
  readonly projectId: string
  readonly id: string
  readonly name: string
  /** Since when it is as it is. */
  readonly since: Stamp
  readonly why: string
}

/** An entity as people speak of it. */
export function describeChange(
  change: Exclude<Change, { kind: 'receipt' }>,
): Pick<Undelivered, 'kind' | 'projectId' | 'id' | 'name' | 'since'> {
  const { kind, project_id: projectId, id } = change
  return { kind, projectId, id, ...nameAndTime(change) }
}

function nameAndTime(change: Exclude<Change, { kind: 'receipt' }>): { name: string; since: Stamp } {
  switch (change.kind) {
    case 'project':
      return { name: change.value.name.value, since: projectStamp(change.value) }
    case 'repo':
      return { name: change.value.name, since: repoStamp(change.value) }
    case 'contract':
      return { name: change.value.name, since: contractStamp(change.value) }
    case 'packet':
      return { name: change.value.type, since: packetStamp(change.value) }
    default:
      return change satisfies never
  }
}
