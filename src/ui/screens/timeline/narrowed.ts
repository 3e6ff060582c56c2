import type { FeedKind } from '../../../domain/feed/feed.ts'
import { plainSentence } from '../../text/sentence.ts'
import type { NameOf } from './lanes.ts'
import { MOMENT_KINDS, type Moment, type MomentKind } from './moment.ts'

/** How the timeline is narrowed, as the address says it. */
export interface Narrowing {
  readonly kind: MomentKind | undefined
  readonly repo: string | undefined
  readonly q: string
}

export function readNarrowing(query: Readonly<Record<string, string>>): Narrowing {
  const { kind } = query
  return {
    kind: kind !== undefined && Object.hasOwn(MOMENT_KINDS, kind) ? (kind as MomentKind) : undefined,
    repo: query['repo'],
    q: (query['q'] ?? '').slice(0, 200).trim().toLowerCase(),
  }
}

/** The entities that tell moments of a kind. */
export const ENTITIES_OF: Readonly<Record<MomentKind, readonly FeedKind[]>> = {
  proposed: ['contract'],
  answered: ['contract'],
  built: ['contract'],
  verified: ['contract'],
  asked: ['packet'],
  decided: ['packet'],
  said: ['packet'],
  joined: ['project', 'repo'],
}

export const isWanted =
  ({ kind, repo, q }: Narrowing, nameOf: NameOf) =>
  (moment: Moment): boolean =>
    (kind === undefined || moment.kind === kind) &&
    (repo === undefined || nameOf(moment) === repo) &&
    (q === '' || plainSentence(moment.sentence).toLowerCase().includes(q))
