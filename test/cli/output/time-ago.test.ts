import { describe, expect, test } from 'vitest'
import { isMoment, timeAgo } from '../../../src/cli/output/time-ago.ts'

const NOW = Date.parse('2026-11-16T09:00:00Z')

describe('how long ago something was', () => {
  test.each([
    ['2026-11-16T09:00:00.000000Z', '0 s ago'],
    ['2026-11-16T08:59:01.412000Z', '58 s ago'],
    ['2026-11-16T08:59:00.000000Z', '1 min ago'],
    ['2026-11-16T08:00:01.000000Z', '59 min ago'],
    ['2026-11-16T08:00:00.000000Z', '1 h ago'],
    ['2026-11-14T09:00:01.000000Z', '47 h ago'],
    ['2026-11-14T09:00:00.000000Z', '2 days ago'],
    ['2026-09-18T09:00:00.000000Z', '59 days ago'],
    ['2026-09-17T09:00:00.000000Z', '2026-09-17'],
    ['2026-11-16T09:30:00.000000Z', 'in 30 min'],
    ['2027-11-16T09:30:00.000000Z', '2027-11-16'],
  ])('%s was %s', (stamp, told) => {
    expect(timeAgo(stamp, NOW)).toBe(told)
  })
})

test('is told only of times, whatever else looks like one', () => {
  const stamp = '2026-11-16T08:59:01.412000Z'
  for (const key of ['updatedAt', 'updated_at', 'timestamp', 'lastSeen', 'last seen', 'since', 'at'])
    expect(isMoment(key, stamp)).toBe(true)
  for (const key of ['name', 'status', 'what']) expect(isMoment(key, stamp)).toBe(false)
  for (const value of [null, 'never', '2026-11-16', 1]) expect(isMoment('updatedAt', value)).toBe(false)
})
