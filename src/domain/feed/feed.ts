import { z } from 'zod'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { latest, type Stamp } from '../../protocol/stamp.ts'
import { When } from '../../protocol/words.ts'
import type { Change, EntityKind } from '../change.ts'
import { renderContract, renderPacket, renderProjectHead, renderRepo } from '../render.ts'
import type { ProjectView } from '../view.ts'

/** The kinds of entities in the feed. */
export const FEED_KINDS = [
  'project',
  'repo',
  'contract',
  'packet',
  'receipt',
] as const satisfies readonly EntityKind[]
export type FeedKind = (typeof FEED_KINDS)[number]

/** Receipts are left out unless a reader asks for them. */
export const USUAL_KINDS: readonly FeedKind[] = FEED_KINDS.filter((kind) => kind !== 'receipt')

/** An entity that changed, in its present state. */
export const FeedEvent = z
  .object({
    cursor: z.string().describe('goes on after this one'),
    kind: z.enum(FEED_KINDS),
    projectId: z.string(),
    id: z.string(),
    at: When.describe('the newest time in it'),
    wide: z
      .literal(true)
      .optional()
      .describe('who speaks for whom changed: all else in the project may be otherwise, too'),
    value: FreeObject.describe(
      'the entity as it is now, as the document writes it; {"gone": true} where there is none any more',
    ),
  })
  .meta({ id: 'FeedEvent' })
export type FeedEvent = z.output<typeof FeedEvent>

const isFeedKind = (kind: EntityKind): kind is FeedKind => (FEED_KINDS as readonly string[]).includes(kind)

/** The event of a change, without its cursor; undefined for a kind that only a newer daemon understands. */
export function toldOf(change: Change, found: ProjectView): Omit<FeedEvent, 'cursor'> | undefined {
  const { kind, project_id: projectId, id, isWide } = change
  if (!isFeedKind(kind)) return undefined
  const { at, value } = presentValue(kind, id, found) ?? goneValue(id, found)
  return { kind, projectId, id, at, ...(isWide ? { wide: true } : {}), value: value as unknown as JsonObject }
}

interface PresentValue {
  readonly at: Stamp
  readonly value: object
}

function presentValue(kind: FeedKind, id: string, found: ProjectView): PresentValue | undefined {
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

/** A repo that was removed, or an entity about which no statement counts any more. */
const goneValue = (id: string, found: ProjectView): PresentValue => ({
  at: found.newestAbout(id) ?? found.project.created_at,
  value: { id, gone: true },
})
