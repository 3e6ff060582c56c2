import { describe, expect, test } from 'vitest'
import type { CallerKind } from '../../../src/domain/env.ts'
import type { PeerReport } from '../../../src/methods/peers/peer.ts'
import { peersFor } from '../../../src/methods/peers/peer.ts'

const REPORT: PeerReport = {
  agentId: 'aid://example.com/frontend@1.0.0',
  endpoint: 'http://127.0.0.1:8081',
  repoName: 'frontend-app',
  callsItself: null,
  trust: 'approved',
  fingerprint: null,
  isHealthy: true,
  health: 'healthy',
  lastSeen: null,
  lastError: 'It would not take contract c1 of project p1',
  failures: 0,
  breaker: 'closed',
  behind: 1,
  clockSkewSeconds: 0,
  runsTwice: false,
  hearsUsTwice: false,
  aside: [{ key: 'contract p1 c1', reason: 'no', since: '2026-11-16T09:00:00.000000Z' }],
  refused: { count: 1, newest: [{ id: 'c1', reason: 'no', since: '2026-11-16T09:00:00.000000Z' }] },
  waiting: { count: 1, since: '2026-11-16T09:00:00.000000Z' },
}

const shownTo = (kind: CallerKind) =>
  peersFor({ kind, agentId: 'aid://example.com/other@1.0.0', repoName: null }, [REPORT])

describe('the list of peers', () => {
  test.each(['operator', 'open'] as const)('shows the %s all of it', (kind) => {
    expect(shownTo(kind)).toEqual([REPORT])
  })

  test.each(['peer', 'known'] as const)(
    'shows a %s who there is, and nothing of what is in projects that it may not see',
    (kind) => {
      const shown = shownTo(kind)
      expect(shown).toMatchObject([{ agentId: REPORT.agentId, endpoint: REPORT.endpoint, behind: 1 }])
      expect(JSON.stringify(shown)).not.toMatch(/p1|c1/)
      expect(shown).toMatchObject([{ waiting: { count: 0, since: null } }])
    },
  )
})
