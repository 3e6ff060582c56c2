import { describe, expect, test } from 'vitest'
import { isAbout } from '../../src/ui/call/liveness.ts'
import {
  type Connection,
  connected,
  connectionWords,
  type Happening,
  pauseAfter,
} from '../../src/ui/stream/connection.ts'
import { type News, readEvent } from '../../src/ui/stream/event.ts'
import { clockTime } from '../../src/ui/text/time.ts'

const after = (...happenings: Happening[]): Connection =>
  happenings.reduce<Connection>(connected, { is: 'connecting' })

const NOW = Date.parse('2026-11-16T15:02:11Z')
const lost: Happening = { type: 'lost', until: NOW + 4000, asOf: NOW }
const words = (...happenings: Happening[]): string => connectionWords(after(...happenings), NOW).words

describe('the connection in words', () => {
  test('is live once the stream is open', () => {
    expect(words({ type: 'opening' }, { type: 'opened', isResumed: false })).toBe('live')
  })

  test('catches up after a break, and counts what comes', () => {
    const resumed: Happening[] = [{ type: 'opened', isResumed: true }]
    expect(words(...resumed, { type: 'changes', count: 1200 }, { type: 'changes', count: 4 })).toBe(
      'catching up (1,204 changes)',
    )
    expect(words(...resumed, { type: 'changes', count: 3 }, { type: 'quiet' })).toBe('live')
  })

  test('says when it tries again, and how old what is shown is', () => {
    expect(words({ type: 'opened', isResumed: false }, lost)).toBe(
      `reconnecting in 4 s, shown as of ${clockTime(NOW)}`,
    )
  })

  test('takes a daemon that never answers for stopped, and says how to start it', () => {
    const trying: Happening[] = Array.from({ length: 4 }, (): Happening[] => [
      { type: 'opening' },
      lost,
    ]).flat()
    expect(words(...trying)).toBe(`the daemon does not answer: cacpd up -d, shown as of ${clockTime(NOW)}`)
    expect(
      words(...trying, { type: 'opening' }, { type: 'opened', isResumed: true }, { type: 'quiet' }),
    ).toBe('live')
  })

  test('says when the session has ended, and when it pauses', () => {
    expect(words({ type: 'refused' })).toBe('session ended: run cacpd ui')
    expect(words({ type: 'slept', asOf: undefined })).toBe('paused while hidden')
  })

  test('waits longer after each failure, but never long', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 50].map(pauseAfter)
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
    expect(pauses.at(-1)).toBe(30_000)
  })
})

describe('an event of the stream', () => {
  const event = (type: string, data: object) => JSON.stringify({ specversion: '1.0', type, data })

  test('says from where it goes on', () => {
    expect(readEvent(event('dev.cacp.snapshot', { cursor: 's.4' }))).toEqual({
      type: 'snapshot',
      cursor: 's.4',
    })
  })

  test('says what changed', () => {
    const data = { cursor: 's.5', kind: 'contract', projectId: 'p', id: 'c', at: 't', wide: true }
    expect(readEvent(event('dev.cacp.contract.changed', data))).toEqual({
      type: 'change',
      cursor: 's.5',
      change: { kind: 'contract', projectId: 'p', id: 'c', at: 't', isWide: true },
    })
  })

  test.each([
    ['null', 'null'],
    ['no data', event('dev.cacp.snapshot', [])],
    ['no cursor', event('dev.cacp.contract.changed', { kind: 'contract', projectId: 'p', id: 'c' })],
    ['an unknown part', event('dev.cacp.local.changed', { table: 'moon', ids: [] })],
  ])('that is not understood is passed over: %s', (_, text) => {
    expect(readEvent(text)).toBeUndefined()
  })
})

describe('what is shown is asked for again', () => {
  const news = (over: Partial<News>): News => ({ changes: [], local: [], isEverything: false, ...over })
  const change = (over = {}) => ({
    kind: 'contract',
    projectId: 'p',
    id: 'c',
    at: '',
    isWide: false,
    ...over,
  })

  test.each([
    ['after any change, where nothing else is said', {}, news({ changes: [change()] }), true],
    ['after a change of its kind', { kinds: ['contract'] }, news({ changes: [change()] }), true],
    ['not after one of another kind', { kinds: ['packet'] }, news({ changes: [change()] }), false],
    ['not after one of another project', { projectId: 'q' }, news({ changes: [change()] }), false],
    ['not after one of another entity', { id: 'x' }, news({ changes: [change()] }), false],
    [
      'after a change of who speaks for whom',
      { id: 'x' },
      news({ changes: [change({ isWide: true })] }),
      true,
    ],
    ['whenever something was missed', { kinds: [] }, news({ isEverything: true }), true],
    [
      'after a change of a part of this daemon',
      { local: ['peers' as const] },
      news({ local: ['peers'] }),
      true,
    ],
    [
      'not after shared changes, if it shows none',
      { local: ['peers' as const] },
      news({ changes: [change()] }),
      false,
    ],
  ])('%s', (_, live, told, is) => {
    expect(isAbout(told, live)).toBe(is)
  })
})
