import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { latest, type Stamp } from '../../protocol/stamp.ts'
import { ContractStatus, When } from '../../protocol/words.ts'
import type { Change, EntityKind } from '../change.ts'
import { entityIn, type NamedEntity } from '../entity.ts'
import { renderContract, renderPacket, renderProjectHead, renderRepo } from '../render.ts'
import type { ProjectView } from '../view.ts'

export const FEED_KINDS = ['project', 'repo', 'contract', 'packet', 'receipt'] as const
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

/** The same without the entity, for readers that only want to know that there is something new. */
export const FeedNotice = FeedEvent.omit({ value: true })
  .extend({
    name: z.string().optional().describe('of a contract'),
    version: z.int().optional().describe('of a contract: of its newest version'),
    status: ContractStatus.optional().describe('of a contract'),
    gone: z.literal(true).optional().describe('there is none any more'),
  })
  .meta({ id: 'FeedNotice' })
export type FeedNotice = z.output<typeof FeedNotice>

const isFeedKind = (kind: EntityKind): kind is FeedKind => (FEED_KINDS as readonly string[]).includes(kind)

/** The event of a change, without its cursor; undefined for a kind that only a newer daemon understands. */
export function toldOf(change: Change, found: ProjectView): Omit<FeedEvent, 'cursor'> | undefined {
  const present = presentOf(change, found)
  if (present === undefined) return undefined
  const { kind, projectId, id, wide, at, entity } = present
  const value = kind === 'receipt' ? { id, seen: found.sightingsOf(id) } : presentValue(id, entity)
  return { kind, projectId, id, at, ...defined({ wide }), value: value as unknown as JsonObject }
}

/** The same without the entity. */
export function noticeOf(change: Change, found: ProjectView): Omit<FeedNotice, 'cursor'> | undefined {
  const present = presentOf(change, found)
  if (present === undefined) return undefined
  const { kind, projectId, id, wide, at, entity } = present
  const about = { kind, projectId, id, ...defined({ wide }), at }
  if (kind === 'receipt') return about
  if (entity === undefined) return { ...about, gone: true }
  if (entity.kind !== 'contract') return about
  const { name, head, status } = entity.value
  return { ...about, name, version: head.version, status }
}

/** What changed, and its newest time. There is no entity of a receipt, and none of what is gone. */
function presentOf({ kind, project_id: projectId, id, isWide }: Change, found: ProjectView) {
  if (!isFeedKind(kind)) return undefined
  const entity = entityIn(found, { kind, id })
  const at = kind === 'receipt' ? receiptTime(id, found) : (entity?.value.updated_at ?? goneAt(id, found))
  return { kind, projectId, id, wide: isWide ? (true as const) : undefined, at, entity }
}

/** Gone is a repo that was removed, or an entity about which no statement counts any more. */
function presentValue(id: string, entity: NamedEntity | undefined): object {
  switch (entity?.kind) {
    case 'project':
      return renderProjectHead(entity.value)
    case 'repo':
      return renderRepo(entity.value)
    case 'contract':
      return renderContract(entity.value)
    case 'packet':
      return renderPacket(entity.value)
    case undefined:
      return { id, gone: true }
  }
}

const goneAt = (id: string, found: ProjectView): Stamp => found.newestAbout(id) ?? found.project.created_at

const receiptTime = (id: string, found: ProjectView): Stamp =>
  latest([found.project.created_at, ...found.sightingsOf(id).map(({ at }) => at)])
