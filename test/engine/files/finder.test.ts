import { expect, test } from 'vitest'
import type { Peer } from '../../../src/domain/model.ts'
import type { View } from '../../../src/domain/view.ts'
import { createFileFinder } from '../../../src/engine/files/finder.ts'
import type { FileIntake } from '../../../src/engine/files/intake.ts'
import type { PeerReport } from '../../../src/methods/peers/peer.ts'
import { at, EMPTY_VIEW, orderedTableOf, packet, viewOf } from '../../domain/builders.ts'

const SHA = 'ab'.repeat(32)

const naming = viewOf({ packets: [packet({ content: { file: { sha256: SHA } } })] })

const PEER: Peer = {
  agent_id: 'aid://example.com/frontend@1.0.0',
  endpoint: 'http://127.0.0.1:8081',
  repo_name: 'frontend-app',
  trust: 'approved',
  registered_at: at(0),
  last_seen: at(0),
}

const view: View = {
  ...EMPTY_VIEW,
  projects: orderedTableOf([naming], {
    id: (found) => found.project.project_id,
    created: () => '',
  }),
  peers: orderedTableOf([PEER], { id: (peer) => peer.agent_id, created: () => '' }),
  projectsNaming: (sha256) => (sha256 === SHA ? [naming] : []),
}

const report = (given: Pick<PeerReport, 'health' | 'fingerprint'>): PeerReport => ({
  agentId: 'aid://example.com/frontend@1.0.0',
  endpoint: 'http://127.0.0.1:8081',
  repoName: 'frontend-app',
  callsItself: null,
  trust: 'approved',
  isHealthy: given.health === 'healthy',
  lastSeen: null,
  lastError: null,
  failures: 0,
  breaker: 'closed',
  behind: null,
  clockSkewSeconds: null,
  runsTwice: false,
  hearsUsTwice: false,
  aside: [],
  refused: { count: 0, newest: [] },
  waiting: { count: 0, since: null },
  ...given,
})

const intake: Pick<FileIntake, 'put'> = {
  async put(source) {
    for await (const _ of source);
    return { sha256: SHA, size: 1 }
  },
}

const PAIRED = 'acorn gecko ginger amber circus peach'

test.each([
  ['healthy', null, true],
  ['connecting', null, true],
  ['failing', null, true],
  ['paused', null, false],
  ['healthy', PAIRED, true],
  ['connecting', PAIRED, false],
  ['failing', PAIRED, false],
  ['stranger', PAIRED, false],
])(
  'a peer that is %s and whose words are %s is asked for a file: %s',
  async (health, fingerprint, isAsked) => {
    const asked: string[] = []
    const finder = createFileFinder({
      intake,
      view,
      peers: () => [report({ health, fingerprint })],
      fetchFile: async function* (url) {
        asked.push(url)
        yield Uint8Array.of(1)
      },
      millis: 1000,
    })
    const caller = { kind: 'operator' as const, agentId: 'aid://example.com/backend@1.0.0', repoName: null }
    expect(await finder.bring(SHA, { caller, isDaemon: false })).toBe(isAsked)
    expect(asked).toEqual(isAsked ? [`http://127.0.0.1:8081/files/${SHA}`] : [])
  },
)
