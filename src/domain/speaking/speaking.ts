import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Kind } from '../statements/kind.ts'
import {
  type Saying,
  type Speaking,
  type SpeaksBy,
  say,
  timeToSay,
  type Unsigned,
} from '../statements/say.ts'
import type { ProjectView } from '../view.ts'
import { NO_VOLUME } from '../views/statement-index.ts'

/**
 * Makes statements in a project under one claim, or as its founder, each with a time after all known statements about
 * the same entity. Without `about` a statement opens an entity.
 */
export type Speak = <Body, Content>(
  kind: Kind<Body, Content>,
  saying: Omit<Saying<Body, Content>, 'at'> & {
    /** The time of what it answers, if that is another entity. */
    readonly after?: Stamp | undefined
  },
) => Unsigned

/** Where the statement is made; a project that is being founded has no statements yet. */
type Place = Pick<ProjectView, 'newestAbout'> & Partial<Pick<ProjectView, 'said'>>

export const speakIn =
  (found: Place, by: SpeaksBy, env: Speaking): Speak =>
  (kind, { after, ...said }) => {
    const isEnding = ENDING_KINDS.has(kind.name)
    if (!isEnding) assertRoom(found, by)
    const newest = said.about === undefined ? after : found.newestAbout(said.about)
    const at = timeToSay(env.now, newest, by.since)
    // A release or rotation must not invalidate earlier statements of this key, even if they are dated ahead of this
    // clock.
    const last = isEnding ? found.said?.newestBy(by.key) : undefined
    return say(kind, by, { ...said, at: timeToSay(at, last) }, env)
  }

/** Kinds that end the use of a key. They may use the reserve that is kept free for them. */
const ENDING_KINDS = new Set(['release', 'rotation'])

/**
 * The shares of a key's limit in a project up to which less important statements are made. Sightings have a smaller
 * share than reports, so that frequent reading leaves space for reports, and a busy plain peer leaves space for this
 * daemon's own statements.
 */
export const SHARES = { sightings: 1 / 4, reports: 1 / 2 } as const

/** How many more statements a key may make in a project. */
export function remainingStatements(
  { said }: Partial<Pick<ProjectView, 'said'>>,
  { key }: Pick<SpeaksBy, 'key'>,
  share = 1,
): number {
  const { count, bytes } = said?.volumeOf(key) ?? NO_VOLUME
  const { keyStatements, keyBytes, keySpare } = LIMITS
  if (bytes >= share * (keyBytes - keySpare.bytes)) return 0
  return Math.max(0, Math.ceil(share * (keyStatements - keySpare.statements)) - count)
}

/** Refuses statements beyond the limit that other daemons accept from one key in one project. */
export function assertRoom(found: Partial<Pick<ProjectView, 'said'>>, by: SpeaksBy, share = 1): void {
  if (remainingStatements(found, by, share) > 0) return
  const { key, project_id: projectId } = by
  const { count, bytes } = found.said?.volumeOf(key) ?? NO_VOLUME
  throw new Fault(
    'too_large',
    `This daemon has said nearly all that others take of it in project ${projectId}: ${count} statements of ${bytes} bytes`,
    {
      next: 'Take a new key with `cacpd identity rotate`, or go on in another project',
      data: { projectId, statements: count, bytes },
    },
  )
}
