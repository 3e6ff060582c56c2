import { describe, expect, test } from 'vitest'
import { healthOf, inOrder, type Peer, remarksOn } from '../../../../src/ui/screens/peers/health.ts'
import { plainSentence } from '../../../../src/ui/text/sentence.ts'

const WELL: Peer = {
  agentId: 'aid://example.com/frontend@1.0.0',
  endpoint: 'http://127.0.0.1:8081',
  repoName: 'frontend-app',
  callsItself: null,
  trust: 'approved',
  fingerprint: 'acorn gecko ginger amber circus peach',
  isHealthy: true,
  health: 'healthy',
  lastSeen: '2026-11-16T09:00:00.000000Z',
  lastError: null,
  failures: 0,
  breaker: 'closed',
  behind: 0,
  clockSkewSeconds: 0,
  runsTwice: false,
  hearsUsTwice: false,
  aside: [],
  refused: { count: 0, newest: [] },
  waiting: { count: 0, since: null },
}

const said = (peer: Partial<Peer>): [string, string, string] => {
  const { word, tone, reason } = healthOf({ ...WELL, ...peer })
  return [word, tone, plainSentence(reason)]
}

describe('the health of a peer', () => {
  test('is a word with its reason', () => {
    expect(said({})).toEqual(['healthy', 'good', 'it can be reached, and has everything that is here'])
    expect(said({ behind: 1204 })).toEqual([
      'catching up',
      'busy',
      'it can be reached; 1,204 changes are on the way to it',
    ])
    expect(said({ behind: null })).toEqual([
      'healthy',
      'good',
      'it can be reached; nobody can tell how much it has',
    ])
    expect(said({ health: 'connecting', behind: null })).toEqual([
      'connecting',
      'busy',
      'the connection is being made',
    ])
    expect(said({ health: 'failing', lastError: 'ECONNREFUSED' })).toEqual([
      'failing',
      'bad',
      'it cannot be reached: «ECONNREFUSED»',
    ])
    expect(said({ health: 'pending', trust: 'pending' })[0]).toBe('pending')
    expect(said({ health: 'revoked', trust: 'revoked' })).toEqual([
      'revoked',
      'calm',
      'you shut it out: its keys do not work, and nothing is sent to it',
    ])
    expect(said({ health: 'revoked', trust: 'revoked', fingerprint: null })[2]).not.toContain('key')
  })

  test('says what can be done about it', () => {
    const next = (peer: Partial<Peer>) => healthOf({ ...WELL, ...peer }).next
    expect(next({ health: 'paused' })).toContain('Sync now')
    expect(next({ health: 'failing', lastError: 'http://127.0.0.1:1 answered 401' })).toContain('invite')
    expect(next({ health: 'incompatible' })).toContain('version')
    expect(next({})).toBeNull()
  })

  test('comes with everything else that is wrong, each with its reason', () => {
    const remarks = remarksOn({
      ...WELL,
      clockSkewSeconds: -90,
      runsTwice: true,
      hearsUsTwice: true,
      aside: [{ key: 'contract c1', reason: 'too large', since: '2026-11-16T09:00:00.000000Z' }],
      refused: {
        count: 2,
        newest: [{ id: 's1', reason: 'not signed', since: '2026-11-16T09:00:00.000000Z' }],
      },
      waiting: { count: 1, since: '2026-11-16T09:00:00.000000Z' },
    })
    expect(remarks.map(({ text }) => plainSentence(text))).toEqual([
      'two daemons run under its name at once',
      'it hears two daemons at once under the name of this one',
      'its clock is 90 s behind the one here',
      'it would not take 1 of what was sent; the newest: «too large»',
      '2 of what it sent were refused; the newest: «not signed»',
      '1 of what it sent waits for what nobody has sent yet',
    ])
    expect(remarksOn({ ...WELL, clockSkewSeconds: 4 })).toEqual([])
  })

  test('is told with what it lacks where it was approved by hand, and never paired', () => {
    const unpaired: Peer = { ...WELL, fingerprint: null }
    expect(remarksOn(unpaired).map(({ text }) => plainSentence(text))).toEqual([
      expect.stringContaining('no key of this daemon'),
    ])
    expect(remarksOn({ ...unpaired, trust: 'pending' })).toEqual([])
  })

  test('decides the order: who waits for a person first, who was shut out last', () => {
    const named = (repoName: string, peer: Partial<Peer>): Peer => ({ ...WELL, ...peer, repoName })
    const peers = [
      named('fine', {}),
      named('shut out', { health: 'revoked', trust: 'revoked' }),
      named('late', { behind: 3 }),
      named('broken', { health: 'failing' }),
      named('new', { health: 'pending', trust: 'pending' }),
    ]
    expect(inOrder(peers).map(({ repoName }) => repoName)).toEqual([
      'new',
      'broken',
      'late',
      'fine',
      'shut out',
    ])
  })
})
