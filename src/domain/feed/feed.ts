import type { JsonObject } from '../../protocol/json/json.ts'
import { latest, type Stamp } from '../../protocol/stamp.ts'
import type { Change, EntityKind } from '../change.ts'
import { renderContract, renderPacket, renderProjectHead, renderRepo } from '../render.ts'
import type { ProjectView } from '../view.ts'

/** What the feed tells of. */
export const FEED_KINDS = [
  'project',
  'repo',
  'contract',
  'packet',
  'receipt',
] as const satisfies readonly EntityKind[]
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
  /** Who speaks for whom has changed, and with it perhaps everything in the project. */
  readonly wide?: true
  /** As the document writes it. */
  readonly value: JsonObject
}

const isFeedKind = (kind: EntityKind): kind is FeedKind => (FEED_KINDS as readonly string[]).includes(kind)

/** A change without its place in the order; undefined where only a newer daemon understands it. */
export function toldOf(change: Change, found: ProjectView): Omit<FeedEvent, 'cursor'> | undefined {
  const { kind, project_id: projectId, id, isWide } = change
  if (!isFeedKind(kind)) return undefined
  const { at, value } = shown(kind, id, found) ?? gone(id, found)
  return { kind, projectId, id, at, ...(isWide ? { wide: true } : {}), value: value as unknown as JsonObject }
}

interface Shown {
  readonly at: Stamp
  readonly value: object
}

function shown(kind: FeedKind, id: string, found: ProjectView): Shown | undefined {
  switch (kind) {
    case 'project':
      return { at: found.project.updated_at, value: renderProjectHead(found.project) }
    case 'repo': {
      const repo = found.repos.get(id)
      return repo && { at: repo.updated_at, value: renderRepo(repo) }
    }
    case 'contract': {
      const contract = found.contracts.get(id)
      return contract && { at: contract.updated_at, value: renderContract(contract) }
    }
    case 'packet': {
      const packet = found.packets.get(id)
      return packet && { at: packet.updated_at, value: renderPacket(packet) }
    }
    case 'receipt': {
      const seen = found.sightingsOf(id)
      return { at: latest([found.project.created_at, ...seen.map(({ at }) => at)]), value: { id, seen } }
    }
    default:
      return kind satisfies never
  }
}

/** A repo that was removed, or something that nobody who counts speaks of any more. */
const gone = (id: string, found: ProjectView): Shown => ({
  at: found.newestAbout(id) ?? found.project.created_at,
  value: { id, gone: true },
})
