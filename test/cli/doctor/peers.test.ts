import { describe, expect, test } from 'vitest'
import { peerFindings } from '../../../src/cli/doctor/peers.ts'
import type { PeerReport } from '../../../src/methods/peers/peer.ts'

const SINCE = '2026-11-16T09:00:00.000000Z'
const HEALTHY: PeerReport = {
  agentId: 'aid://laptop/web@1.0.0',
  repoName: 'web',
  endpoint: 'http://127.0.0.1:8081',
  health: 'healthy',
  lastError: null,
  lastSeen: SINCE,
  behind: 0,
  clockSkewSeconds: 1,
  runsTwice: false,
  aside: [],
  refused: { count: 0, newest: [] },
  callsItself: null,
  trust: 'approved',
  fingerprint: null,
  isHealthy: true,
  failures: 0,
  breaker: 'closed',
  hearsUsTwice: false,
  waiting: { count: 0, since: null },
}

describe('what is said of peers', () => {
  test('is that all is well, where it is', () => {
    expect(peerFindings([])).toEqual([{ check: 'peers', verdict: 'ok', message: 'None yet' }])
    expect(peerFindings([HEALTHY, { ...HEALTHY, health: 'connecting', behind: null }])).toMatchObject([
      { verdict: 'ok', message: 'All can be reached and have what is here (2)' },
    ])
  })

  test('counts nobody as reached who was revoked', () => {
    const revoked = { ...HEALTHY, health: 'revoked' }
    expect(peerFindings([revoked])).toMatchObject([{ verdict: 'ok', message: 'None but 1 that was revoked' }])
    expect(peerFindings([HEALTHY, revoked, revoked])).toMatchObject([
      { verdict: 'ok', message: 'All can be reached and have what is here (1), besides 2 that were revoked' },
    ])
  })

  test.each<{ name: string; signs: Partial<PeerReport>; verdict: string; message: RegExp; fix?: RegExp }>([
    {
      name: 'unreachable',
      signs: { health: 'failing', lastError: 'connection refused' },
      verdict: 'wrong',
      message: /^web \(http:\S+\) cannot be reached, last seen 2026\S+: connection refused$/,
      fix: /its daemon runs there/,
    },
    {
      name: 'given up for a while',
      signs: { health: 'paused' },
      verdict: 'wrong',
      message: /only now and then/,
      fix: /peers sync/,
    },
    {
      name: 'not letting us in',
      signs: { health: 'paused', lastError: 'POST / answered 401' },
      verdict: 'wrong',
      message: /^web \(http:\S+\) does not let this daemon in, last seen 2026\S+: POST \/ answered 401$/,
      fix: /cacpd join URL/,
    },
    {
      name: 'forbidding what is asked of it',
      signs: { health: 'paused', lastError: 'http://127.0.0.1:1 answered 403: not for you' },
      verdict: 'wrong',
      message: /does not let this daemon in/,
      fix: /^Run `cacpd invite` there and `cacpd join URL` here$/,
    },
    {
      name: 'of another version',
      signs: { health: 'incompatible' },
      verdict: 'wrong',
      message: /another version of CACP/,
      fix: /^Run versions on both sides that speak the same major version of CACP$/,
    },
    {
      name: 'perhaps another one than was paired with',
      signs: { health: 'stranger', lastError: 'It shows no key' },
      verdict: 'wrong',
      message: /is not shown to be the one that was paired with, .*: It shows no key$/,
      fix: /invite --replace/,
    },
    {
      name: 'waiting to be let in',
      signs: { health: 'pending' },
      verdict: 'note',
      message: /asks to be let in/,
      fix: /`cacpd peers approve web`/,
    },
    {
      name: 'waiting to be let in under a name that a shell would read otherwise',
      signs: { health: 'pending', repoName: '', agentId: "it's $(me)" },
      verdict: 'note',
      message: /asks to be let in/,
      fix: /`cacpd peers approve 'it'\\''s \$\(me\)'`/,
    },
    { name: 'behind', signs: { behind: 7 }, verdict: 'note', message: /has not got 7 changes yet/ },
    {
      name: 'ahead in time',
      signs: { clockSkewSeconds: 90 },
      verdict: 'wrong',
      message: /is 90 s ahead of/,
      fix: /NTP/,
    },
    {
      name: 'behind in time',
      signs: { clockSkewSeconds: -6 },
      verdict: 'wrong',
      message: /is 6 s behind that/,
      fix: /NTP/,
    },
    {
      name: 'so far behind in time that it takes nothing',
      signs: { clockSkewSeconds: -660 },
      verdict: 'wrong',
      message: /is 660 s behind that of this machine: what is written here now is taken there only when/,
      fix: /NTP/,
    },
    {
      name: 'heard twice',
      signs: { runsTwice: true },
      verdict: 'wrong',
      message: /^Two daemons run as aid:\/\/laptop\/web@1.0.0 at the same time$/,
      fix: /^Stop one of them/,
    },
    {
      name: 'silent about its repository',
      signs: { repoName: '', health: 'pending' },
      verdict: 'note',
      message: /^aid:\/\/laptop\/web@1.0.0 \(http:\/\/127.0.0.1:8081\) asks/,
    },
    {
      name: 'not taking something',
      signs: { aside: [{ key: 'contract c1', reason: 'too large', since: SINCE }] },
      verdict: 'wrong',
      message: /would not take 1 of what was sent, contract c1 for one: too large/,
      fix: /same version/,
    },
    {
      name: 'saying what does not hold',
      signs: {
        refused: {
          count: 3,
          newest: [
            { id: 's1', reason: 'at must be a time', since: SINCE },
            { id: 's2', reason: 'sig is not by its key', since: SINCE },
          ],
        },
      },
      verdict: 'note',
      message: /^3 of what web sent were refused, the newest: sig is not by its key$/,
      fix: /`cacpd peers` lists the newest/,
    },
  ])('one that is $name: $verdict', ({ signs, verdict, message, fix }) => {
    const [finding, ...others] = peerFindings([{ ...HEALTHY, ...signs }])
    expect(others).toEqual([])
    expect(finding).toMatchObject({ verdict, message: expect.stringMatching(message) })
    if (fix !== undefined) expect(finding?.fix).toMatch(fix)
  })
})
