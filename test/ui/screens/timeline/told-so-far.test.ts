import { describe, expect, test } from 'vitest'
import type { FeedEvent } from '../../../../src/domain/feed/feed.ts'
import { isWanted, readNarrowing } from '../../../../src/ui/screens/timeline/narrowed.ts'
import { toldSoFar } from '../../../../src/ui/screens/timeline/told-so-far.ts'

const at = (hour: number): string => `2026-11-16T${String(hour).padStart(2, '0')}:00:00.000000Z`

/** A repository that was claimed and left: it tells two moments. */
const repo = (id: string, [claimed, released]: readonly [number, number]): FeedEvent => ({
  cursor: `c.${id}`,
  kind: 'repo',
  projectId: 'p1',
  id,
  at: at(released),
  value: {
    repo_id: id,
    claims: [
      { claim_id: id, agent_id: 'a', claimed_at: at(claimed), released_at: at(released), standing: 'left' },
    ],
  },
})

const hours = (events: readonly FeedEvent[], isAll: boolean): number[] =>
  toldSoFar(events, isAll).map((moment) => Number(moment.at.slice(11, 13)))

describe('what is told of the entities that are loaded', () => {
  const events = [repo('r1', [2, 20]), repo('r2', [17, 18])]

  test('ends at the oldest change that is loaded, since others may have done something before it', () => {
    expect(hours(events, false)).toEqual([20, 18])
    expect(hours(events, true)).toEqual([20, 18, 17, 2])
  })

  test('has each moment once, also where an entity was loaded twice', () => {
    expect(hours([...events, repo('r1', [2, 20])], true)).toEqual([20, 18, 17, 2])
    expect(hours([], false)).toEqual([])
  })
})

describe('the filters of the timeline', () => {
  const [left, joined] = toldSoFar([repo('r1', [2, 20])], true)
  const keeps = (query: Record<string, string>) =>
    [left, joined].filter(
      (one) => one !== undefined && isWanted(readNarrowing(query), () => 'backend-api')(one),
    )

  test('keep what has the words, the kind and the repository', () => {
    expect(keeps({})).toEqual([left, joined])
    expect(keeps({ q: 'LEFT' })).toEqual([left])
    expect(keeps({ kind: 'joined' })).toEqual([left, joined])
    expect(keeps({ kind: 'asked' })).toEqual([])
    expect(keeps({ repo: 'backend-api' })).toEqual([left, joined])
    expect(keeps({ repo: 'frontend-app' })).toEqual([])
  })

  test('take a kind that nobody knows for none', () => {
    expect(readNarrowing({ kind: 'constructor' }).kind).toBeUndefined()
  })
})
