import { describe, expect, test } from 'vitest'
import { receiptChange } from '../../src/domain/change.ts'
import { Deliveries } from '../../src/domain/delivery.ts'
import type { Self } from '../../src/domain/env.ts'
import { mergeContract } from '../../src/domain/merge.ts'
import type { Contract, LinkState, Peer, Receipt } from '../../src/domain/model.ts'
import { isDue } from '../../src/domain/plain-shadow.ts'
import { isNews, receiptWith, sightOfContract } from '../../src/domain/receipt.ts'
import type { View } from '../../src/domain/view.ts'
import type { Stamp } from '../../src/protocol/stamp.ts'
import {
  agreed,
  answer,
  at,
  BACKEND,
  EMPTY_VIEW,
  FRONTEND,
  type Parts,
  packet,
  project,
  proposed,
  repo,
  shelfOf,
  update,
  viewOf,
} from './builders.ts'

const THERE = 'aid://example.com/frontend@1.0.0'
const SELF = { agentId: 'aid://example.com/backend@1.0.0', endpoint: 'http://here' } as Self
const held = (agent_id: string, endpoint: string) => ({
  claims: [{ agent_id, claimed_at: at(0), released_at: null, endpoint: { value: endpoint, at: at(0) } }],
})
const REPOS = [
  repo(held(SELF.agentId, 'http://here')),
  repo({ repo_id: FRONTEND, name: 'frontend', ...held(THERE, 'http://there') }),
]

interface Given extends Parts {
  link?: Partial<LinkState>
  peer?: Partial<Peer>
}

function deliveries({ link, peer, ...parts }: Given): Deliveries {
  const found = viewOf({ repos: REPOS, seq: 10, ...parts })
  const peers =
    peer === undefined
      ? []
      : [
          {
            agent_id: THERE,
            endpoint: 'http://there',
            repo_name: 'frontend',
            trust: 'approved',
            ...peer,
          } as Peer,
        ]
  const links = link === undefined ? [] : [{ agent_id: THERE, acked_seq: 0, aside: [], ...link }]
  const shelved = { id: (one: { agent_id: string }) => one.agent_id, created: () => '' }
  const view: View = { ...EMPTY_VIEW, peers: shelfOf(peers, shelved), links: shelfOf(links, shelved) }
  return new Deliveries(view, found, SELF)
}

const toFrontend = (given: Given, contract: Contract = proposed()) => deliveries(given).ofContract(contract)
const REACHED = { acked_seq: 10, checkpoints: [{ seq: 10, at: at(7) }] }

function seenBy(contract: Contract, now: Stamp): Receipt {
  const receipt = receiptWith(undefined, { repo_id: FRONTEND, sights: [sightOfContract(contract)], now })
  if (receipt === undefined) throw new TypeError('it was news')
  return receipt
}

describe('a contract is told to its parties but whoever moved it last, as', () => {
  test.each<[string, Given, object]>([
    ['stored, where its daemon is no peer of ours', {}, { state: 'stored', stored_at: at(0) }],
    ['stored, until the peer said that it has it', { peer: {}, link: { acked_seq: 9 } }, { state: 'stored' }],
    [
      'replicated, since the peer said so',
      { peer: {}, link: REACHED },
      { state: 'replicated', replicated_at: at(7) },
    ],
    [
      'stored, while the peer would not take it',
      { peer: {}, link: { ...REACHED, aside: [{ key: 'contract p1 c1', reason: 'no', since: at(1) }] } },
      { state: 'stored' },
    ],
    [
      'stored, where the peer may not see it',
      { peer: { repo_name: 'other' }, link: REACHED, project: project({ visibility: 'members' }) },
      { state: 'stored' },
    ],
    [
      'stored, where a plain peer took it, which says nothing of its disk',
      { peer: {}, link: { ...REACHED, plain: true } },
      { state: 'stored' },
    ],
    [
      'stored, where the peer was revoked',
      { peer: { trust: 'revoked' }, link: REACHED },
      { state: 'stored' },
    ],
    [
      'seen, also through a third daemon',
      { receipts: [seenBy(proposed(), at(8))] },
      { state: 'seen', seen_at: at(8) },
    ],
  ])('%s', (_, given, expected) => {
    expect(toFrontend(given)).toEqual([
      expect.objectContaining({ repo_id: FRONTEND, repo: 'frontend', ...expected }),
    ])
  })

  test('no more than stored in a state that was not shown yet', () => {
    const receipts = [seenBy(proposed(), at(8))]
    expect(toFrontend({ receipts }, update(proposed(), { path: '/you' }, at(9)))).toMatchObject([
      { state: 'stored' },
    ])
  })

  test('not seen where something older was joined to it after it was shown', () => {
    const shown = update(proposed(), { path: '/shown' }, at(5))
    const joined = mergeContract(shown, update(proposed(), { path: '/elsewhere' }, at(3))).value
    expect(toFrontend({ receipts: [seenBy(shown, at(6))] }, shown)).toMatchObject([{ state: 'seen' }])
    expect(toFrontend({ receipts: [seenBy(shown, at(6))] }, joined)).toMatchObject([{ state: 'stored' }])
  })

  test('replicated at least, where its agent works with this very daemon', () => {
    expect(deliveries({}).ofContract(agreed())).toEqual([
      { repo_id: BACKEND, repo: 'backend', state: 'replicated', stored_at: at(1), replicated_at: at(1) },
    ])
  })
})

describe('a packet', () => {
  test('is told to all repos but its author', () => {
    expect(deliveries({ peer: {}, link: REACHED }).ofPackets([packet()])).toEqual({
      k1: [
        { repo_id: FRONTEND, repo: 'frontend', state: 'replicated', stored_at: at(0), replicated_at: at(7) },
      ],
    })
  })
})

describe('what was shown', () => {
  test('is nothing to tell a plain peer', () => {
    expect(isDue(receiptChange('p1', seenBy(proposed(), at(8))), viewOf(), undefined)).toBe(false)
  })

  test('is news once in each state', () => {
    const receipt = seenBy(proposed(), at(8))
    expect(isNews(undefined, sightOfContract(proposed()))).toBe(true)
    expect(isNews(receipt, sightOfContract(proposed()))).toBe(false)
    expect(isNews(receipt, sightOfContract(answer(proposed(), 'agree', at(9))))).toBe(true)
  })

  test('is not told again at every look when a full receipt has forgotten it', () => {
    const seen = Array.from({ length: 2000 }, (_, n) => ({
      key: `packet k${n}`,
      of: at(n),
      parts: 1,
      at: at(5000 + n),
    }))
    const full = { repo_id: FRONTEND, seen }
    expect(isNews(full, { key: 'packet old', of: at(4999), parts: 1 })).toBe(false)
    expect(isNews(full, { key: 'packet new', of: at(5001), parts: 1 })).toBe(true)
  })

  test('comes after the sighting before, also where the clock was set back', () => {
    const first = seenBy(proposed(), at(8))
    const again = sightOfContract(answer(proposed(), 'agree', at(3)))
    const second = receiptWith(first, { repo_id: FRONTEND, sights: [again], now: at(4) })
    expect(second?.seen).toEqual([{ ...again, at: at(8, 1) }])
  })
})
