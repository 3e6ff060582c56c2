import type { JsonObject } from '../protocol/json.ts'
import { latest, type Stamp } from '../protocol/stamp.ts'
import type { Change } from './change.ts'
import { contractStamp } from './contract.ts'
import type { Project, Receipt } from './model.ts'
import { packetStamp, projectStamp } from './project.ts'
import { renderContract, renderPacket, renderProjectHead, renderRepo } from './render.ts'
import { repoStamp } from './repo.ts'

/** What the feed tells of. */
export const FEED_KINDS = [
  'project',
  'repo',
  'contract',
  'packet',
  'receipt',
] as const satisfies readonly Change['kind'][]
export type FeedKind = (typeof FEED_KINDS)[number]

/** That somebody was shown something changes nothing for an agent, unless it asks for that. */
export const USUAL_KINDS: readonly FeedKind[] = FEED_KINDS.filter((kind) => kind !== 'receipt')

/** An entity that changed, as it is now. */
export interface FeedEvent {
  /** Whoever goes on from here gets what changed after this one. */
  readonly cursor: string
  readonly kind: FeedKind
  readonly projectId: string
  readonly id: string
  /** The newest stamp in it. */
  readonly at: Stamp
  /** As the document writes it. */
  readonly value: JsonObject
}

/** A change without its place in the order. */
export function toldOf(change: Change, project: Project): Omit<FeedEvent, 'cursor'> {
  const { kind, project_id: projectId, id } = change
  const { at, value } = shown(change, project)
  return { kind, projectId, id, at, value: value as unknown as JsonObject }
}

function receiptStamp({ seen }: Receipt, { created_at }: Project): Stamp {
  return latest([created_at, ...seen.map(({ at }) => at)])
}

function shown(change: Change, project: Project): { at: Stamp; value: object } {
  switch (change.kind) {
    case 'project':
      return { at: projectStamp(change.value), value: renderProjectHead(change.value) }
    case 'repo':
      return { at: repoStamp(change.value), value: renderRepo(change.value, project) }
    case 'contract':
      return { at: contractStamp(change.value), value: renderContract(change.value) }
    case 'packet':
      return { at: packetStamp(change.value), value: renderPacket(change.value) }
    case 'receipt':
      return { at: receiptStamp(change.value, project), value: change.value }
    default:
      return change satisfies never
  }
}
