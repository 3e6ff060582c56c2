import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Env } from '../env.ts'
import type { Kind } from '../statements/kind.ts'
import { type Saying, type SpeaksBy, say, timeToSay, type Unsigned } from '../statements/say.ts'
import type { ProjectView } from '../view.ts'
import { NO_VOLUME } from '../views/statement-index.ts'

/**
 * Makes statements in a project under one claim, or as its founder, each stamped after all that is known of its subject.
 * Without `about` a statement opens something.
 */
export type Speak = <Body, Content>(
  kind: Kind<Body, Content>,
  saying: Omit<Saying<Body, Content>, 'at'> & {
    /** Of what it answers, if that is about something else. */
    readonly after?: Stamp | undefined
  },
) => Unsigned

/** Where something is said; a project that is only being founded has nothing said in it. */
type Place = Pick<ProjectView, 'newestAbout'> & Partial<Pick<ProjectView, 'said'>>

export const speakIn =
  (found: Place, by: SpeaksBy, env: Pick<Env, 'now' | 'newNonce'>): Speak =>
  (kind, { after, ...said }) => {
    const isTheEnd = AT_THE_END.has(kind.name)
    if (!isTheEnd) assertRoom(found, by)
    const newest = said.about === undefined ? after : found.newestAbout(said.about)
    const at = timeToSay(env.now, newest, by.since)
    // What this key said after somebody whose clock is ahead is to go on counting.
    const last = isTheEnd ? found.said?.newestBy(by.key) : undefined
    return say(kind, by, { ...said, at: timeToSay(at, last) }, env)
  }

/** By which a key that has said nearly all that it may gives way to another one. */
const AT_THE_END = new Set(['release', 'rotation'])

/**
 * Parts of all that a key may say in a project, up to which it says what matters less. They differ, so that nobody who
 * has agents look at much takes the room for reports, nor a plain peer that does much the room for this daemon's own words.
 */
export const SHARES = { sightings: 1 / 4, reports: 1 / 2 } as const

/** How many statements a key may still say. */
export function roomFor(
  { said }: Partial<Pick<ProjectView, 'said'>>,
  { key }: Pick<SpeaksBy, 'key'>,
  share = 1,
): number {
  const { count, bytes } = said?.volumeOf(key) ?? NO_VOLUME
  const { keyStatements, keyBytes, keySpare } = LIMITS
  if (bytes >= share * (keyBytes - keySpare.bytes)) return 0
  return Math.max(0, Math.ceil(share * (keyStatements - keySpare.statements)) - count)
}

/** Nobody takes more of one key in one project, so this daemon says no more. */
export function assertRoom(found: Partial<Pick<ProjectView, 'said'>>, by: SpeaksBy, share = 1): void {
  if (roomFor(found, by, share) > 0) return
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
