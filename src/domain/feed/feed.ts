import * as z from 'zod'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { latest, type Stamp } from '../../protocol/stamp.ts'
import { ContractStatus, When } from '../../protocol/words.ts'
import type { Change, EntityKind } from '../change.ts'
import { entityIn, type NamedEntity } from '../entity.ts'
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
  const { kind, project_id: projectId, id, isWide } = change
  if (!isFeedKind(kind)) return undefined
  const { at, value } = presentValue(kind, id, found) ?? goneValue(id, found)
  return { kind, projectId, id, at, ...(isWide ? { wide: true } : {}), value: value as unknown as JsonObject }
}

/** The same without the entity. */
export function noticeOf(change: Change, found: ProjectView): Omit<FeedNotice, 'cursor'> | undefined {
  const { kind, project_id: projectId, id, isWide } = change
  if (!isFeedKind(kind)) return undefined
  const about = { kind, projectId, id, ...(isWide ? { wide: true as const } : {}) }
  if (kind === 'receipt') return { ...about, at: receiptTime(id, found) }
  const entity = entityIn(found, { kind, id })
  if (entity === undefined) return { ...about, at: goneAt(id, found), gone: true }
  const at = entity.value.updated_at
  if (entity.kind !== 'contract') return { ...about, at }
  const { name, head, status } = entity.value
  return { ...about, at, name, version: head.version, status }
}

interface PresentValue {
  readonly at: Stamp
  readonly value: object
}

function presentValue(kind: FeedKind, id: string, found: ProjectView): PresentValue | undefined {
  if (kind === 'receipt') {
    return { at: receiptTime(id, found), value: { id, seen: found.sightingsOf(id) } }
  }
  const entity = entityIn(found, { kind, id })
  return entity && { at: entity.value.updated_at, value: rendered(entity) }
}

function rendered(entity: NamedEntity): object {
  switch (entity.kind) {
    case 'project':
      return renderProjectHead(entity.value)
    case 'repo':
      return renderRepo(entity.value)
    case 'contract':
      return renderContract(entity.value)
    case 'packet':
      return renderPacket(entity.value)
  }
}

/** A repo that was removed, or an entity about which no statement counts any more. */
const goneValue = (id: string, found: ProjectView): PresentValue => ({
  at: goneAt(id, found),
  value: { id, gone: true },
})

const goneAt = (id: string, found: ProjectView): Stamp => found.newestAbout(id) ?? found.project.created_at

const receiptTime = (id: string, found: ProjectView): Stamp =>
  latest([found.project.created_at, ...found.sightingsOf(id).map(({ at }) => at)])
