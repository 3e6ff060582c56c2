import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  foldTimeline,
  newestFirst,
  type Row,
  SHORTEST_GAP,
} from '../../../../src/ui/screens/timeline/fold.ts'
import { laneOf, lanesOf, MOST_LANES } from '../../../../src/ui/screens/timeline/lanes.ts'
import type { Moment } from '../../../../src/ui/screens/timeline/moment.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const stampAt = (millis: number): string => new Date(millis).toISOString().replace('Z', '000Z')
const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

const momentAt = (at: string, key = at, repoId: string | null = 'r1'): Moment => ({
  key,
  at,
  kind: 'said',
  icon: 'message',
  tone: 'calm',
  projectId: 'p1',
  repoId,
  agentId: 'aid://example.com/a@1.0.0',
  isByPerson: false,
  sentence: ['said'],
  about: null,
})

const fold = (ats: readonly string[], lookedAt?: string): Row[] =>
  foldTimeline(
    ats.map((at) => momentAt(at)),
    { now: NOW, lookedAt, dayOf },
  )
const words = (rows: readonly Row[]): string[] =>
  rows.map((row) => {
    if (row.is === 'moment') return row.moment.at.slice(11, 16)
    if (row.is === 'gap') return row.text
    return row.is === 'day' ? dayOf(row.at) : `${row.newer} new`
  })

const past = fc.integer({ min: 0, max: 10 * 86_400_000 }).map((ago) => stampAt(NOW - ago))
const timelines = fc
  .array(past, { maxLength: 40 })
  .map((ats) => ats.map((at, index) => momentAt(at, `m${index}`)).sort(newestFirst))

describe('the timeline', () => {
  test('folds time in which nothing happened into one row, and begins each day with its date', () => {
    expect(
      words(
        fold([
          '2026-11-16T11:55:00.000000Z',
          '2026-11-16T09:45:00.000000Z',
          '2026-11-16T09:44:00.000000Z',
          '2026-11-13T09:44:00.000000Z',
        ]),
      ),
    ).toEqual([
      '2026-11-16',
      '11:55',
      '2 h 10 min nothing',
      '09:45',
      '09:44',
      '3 d nothing',
      '2026-11-13',
      '09:44',
    ])
  })

  test('says how long nothing has happened until now', () => {
    expect(words(fold(['2026-11-16T11:00:00.000000Z']))).toEqual(['1 h nothing', '2026-11-16', '11:00'])
    expect(words(fold([]))).toEqual([])
  })

  test('draws a line between what came since one looked last and what was there', () => {
    const ats = ['2026-11-16T11:58:00.000000Z', '2026-11-16T11:57:00.000000Z', '2026-11-16T11:56:00.000000Z']
    expect(words(fold(ats, ats[1]))).toEqual(['2026-11-16', '11:58', '1 new', '11:57', '11:56'])
    expect(words(fold(ats, ats[0]))).not.toContain('0 new')
    expect(words(fold(ats, '2026-11-16T11:00:00.000000Z')).at(-1)).toBe('3 new')
    expect(words(fold(ats))).toEqual(['2026-11-16', '11:58', '11:57', '11:56'])
  })

  test('has every moment once and in order, and a gap exactly where there is one', () => {
    fc.assert(
      fc.property(timelines, past, (moments, lookedAt) => {
        const rows = foldTimeline(moments, { now: NOW, lookedAt, dayOf })
        const shown = rows.flatMap((row) => (row.is === 'moment' ? [row.moment] : []))
        expect(shown).toEqual(moments)
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
        const times = [NOW, ...moments.map(({ at }) => Date.parse(at))]
        const gaps = times.slice(1).filter((time, index) => (times[index] ?? 0) - time >= SHORTEST_GAP)
        expect(rows.filter(({ is }) => is === 'gap')).toHaveLength(gaps.length)
        const days = new Set(moments.map(({ at }) => dayOf(Date.parse(at))))
        expect(rows.filter(({ is }) => is === 'day')).toHaveLength(days.size)
        const line = rows.findIndex(({ is }) => is === 'looked')
        const isNew = (row: Row): boolean => row.is === 'moment' && row.moment.at > lookedAt
        if (line >= 0) {
          expect(rows.slice(0, line).some(isNew)).toBe(true)
          expect(rows.slice(line).some(isNew)).toBe(false)
        }
      }),
    )
  })

  test('takes a moment that a fast clock dated after now as it comes', () => {
    expect(words(fold(['2026-11-16T12:30:00.000000Z', '2026-11-16T11:59:00.000000Z']))).toEqual([
      '2026-11-16',
      '12:30',
      '11:59',
    ])
  })
})

describe('lanes', () => {
  const at = '2026-11-16T11:58:00.000000Z'
  const nameOf = ({ repoId }: Moment): string | undefined => repoId ?? undefined

  test('are repositories, the own one first and then those that did most', () => {
    const moments = ['b', 'c', 'c', 'own'].map((repo, index) => momentAt(at, `m${index}`, repo))
    const lanes = lanesOf(moments, nameOf, 'own')
    expect(lanes).toEqual({ names: ['own', 'c', 'b'], hasOthers: false })
    expect(['own', 'b', 'unheard', undefined].map((name) => laneOf(name, lanes))).toEqual([0, 2, 3, 3])
  })

  test('are never more than can be told apart: the others share one', () => {
    const moments = Array.from({ length: 20 }, (_, index) => momentAt(at, `m${index}`, `repo ${index}`))
    const lanes = lanesOf(moments, nameOf, undefined)
    expect(lanes.names).toHaveLength(MOST_LANES)
    expect(lanes.hasOthers).toBe(true)
    expect(lanesOf([momentAt(at, 'm', null)], nameOf, 'own')).toEqual({ names: [], hasOthers: true })
  })
})
