import { describe, expect, test } from 'vitest'
import { deliveriesIn } from '../../../src/domain/delivery/delivery.ts'
import { readStateOfContract, seenBy } from '../../../src/domain/delivery/receipt.ts'
import type { Self } from '../../../src/domain/env.ts'
import type { LinkState, Peer } from '../../../src/domain/model.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import type { ProjectView, View } from '../../../src/domain/view.ts'
import type { Visibility } from '../../../src/protocol/words.ts'
import { at, orderedTableOf } from '../builders.ts'
import { Author } from '../statements/author.ts'
import { type Name, Story } from '../story.ts'

const [BACKEND, FRONTEND] = ['backend', 'frontend'].map((name) => new Author(name)) as [Author, Author]
/** The daemon of the backend. */
const SELF = { agentId: 'backend', signer: { publicKey: BACKEND.publicKey, keyId: BACKEND.key } } as Self
const SEQ = 10

interface Given {
  readonly link?: Partial<LinkState>
  /** Of the contract, or of something else; and how many more, of which only the number is known. */
  readonly refused?: { readonly of: 'contract' | 'packet'; readonly more?: number }
  readonly peer?: Partial<Peer>
  /** Of its agents, who joins as the frontend. */
  readonly agentId?: string
  readonly visibility?: Visibility
}

/** A contract that the backend proposed, at a place of the store that is known. */
function telling({ link: given, refused, peer, visibility = 'all' }: Given = {}) {
  const story = new Story({ visibility })
  const revision = story.proposes('backend', at(10))
  const link = given && { ...given, ...(refused && { refused: refusedBy(revision, refused) }) }
  const peers =
    peer === undefined
      ? []
      : [
          {
            agent_id: 'frontend',
            repo_name: 'frontend',
            trust: 'approved',
            identity: FRONTEND.publicKey,
            ...peer,
          },
        ]
  const links = link === undefined ? [] : [{ agent_id: 'frontend', acked_seq: 0, ...link }]
  const shelved = { id: (one: { agent_id: string }) => one.agent_id, created: () => '' }
  const view: View = {
    ...story.view,
    peers: orderedTableOf(peers as Peer[], shelved),
    links: orderedTableOf(links, shelved),
  }
  /** As far as it goes, each thing stands where the story says, but for the place that is asked about. */
  const deliveries = () => {
    const { found } = story
    const placed: ProjectView = {
      ...{ project: found.project, repos: found.repos, contracts: found.contracts, packets: found.packets },
      contractsCalled: (name) => found.contractsCalled(name),
      questionsCalled: (name) => found.questionsCalled(name),
      sightingsOf: (id) => found.sightingsOf(id),
      repliesTo: (id) => found.repliesTo(id),
      packetsNaming: (sha256) => found.packetsNaming(sha256),
      newestAbout: (id) => found.newestAbout(id),
      said: found.said,
      seqOf: (kind, id) => (kind === 'repo' ? found.seqOf(kind, id) : SEQ),
    }
    return deliveriesIn(view, placed, SELF)
  }
  return {
    story,
    revision,
    ofContract: () => deliveries().ofContract(story.contract(revision)),
    ofPackets: (...shared: Statement[]) => deliveries().ofPackets(shared.map((one) => story.packet(one))),
    /** The agent of a repo was shown the contract as it is. */
    sees: (name: Name, second: number) => {
      const { of, parts } = readStateOfContract(story.contract(revision))
      const said = { kind: 'sighting', about: revision.about, at: at(second), body: { of, parts } }
      story.say(story.authors[name].under(story.claims[name] ?? revision, said))
    },
  }
}

const refusedBy = (revision: Statement, { of, more = 0 }: NonNullable<Given['refused']>) => ({
  count: 1 + more,
  newest: [
    { id: `${of} ${revision.project_id} ${revision.about} ${revision.id}`, reason: 'no', since: at(17) },
  ],
})

const REACHED = { acked_seq: SEQ, checkpoints: [{ seq: SEQ, at: at(17) }] }

const STORED = { state: 'stored' }

describe('a contract is told to its parties but whoever moved it last, as', () => {
  test.each<[string, Given, object]>([
    ['stored, where its daemon is no peer of ours', {}, { state: 'stored', stored_at: at(10) }],
    ['stored, until the peer said that it has it', { peer: {}, link: { acked_seq: 9 } }, { state: 'stored' }],
    [
      'replicated, since the peer said so',
      { peer: {}, link: REACHED },
      { state: 'replicated', replicated_at: at(17) },
    ],
    [
      'replicated, where the agent is a guest of a peer, which speaks for it with its own key',
      { peer: { agent_id: 'host' }, link: { ...REACHED, agent_id: 'host' } },
      { state: 'replicated', replicated_at: at(17) },
    ],
    [
      'stored, where the peer may not see it',
      {
        peer: { repo_name: 'other', identity: new Author('other').publicKey },
        link: REACHED,
        visibility: 'members',
      },
      { state: 'stored' },
    ],
    [
      'stored, where a plain peer took it, which says nothing of its disk',
      { peer: {}, link: { ...REACHED, plain: true } },
      { state: 'stored' },
    ],
    [
      'stored, where the peer refused some of it',
      { peer: {}, link: REACHED, refused: { of: 'contract' } },
      STORED,
    ],
    [
      'replicated, where the peer refused something else',
      { peer: {}, link: REACHED, refused: { of: 'packet' } },
      { state: 'replicated' },
    ],
    [
      'stored, where the peer refused more than is remembered',
      { peer: {}, link: REACHED, refused: { of: 'packet', more: 1 } },
      STORED,
    ],
    [
      'stored, where the peer was revoked',
      { peer: { trust: 'revoked' }, link: REACHED },
      { state: 'stored' },
    ],
  ])('%s', (_, given, expected) => {
    expect(telling(given).ofContract()).toEqual([
      expect.objectContaining({ repo_id: expect.any(String), repo: 'frontend', ...expected }),
    ])
  })

  test('seen, also through a third daemon', () => {
    const { sees, ofContract } = telling()
    sees('frontend', 18)
    expect(ofContract()).toMatchObject([{ state: 'seen', seen_at: at(18) }])
  })

  test('no more than stored in a state that was not shown yet', () => {
    const { story, revision, sees, ofContract } = telling()
    sees('frontend', 18)
    story.revises('backend', revision, at(19))
    expect(ofContract()).toMatchObject([{ state: 'stored' }])
  })

  test('not seen where something older was joined to it after it was shown', () => {
    const { story, revision, sees, ofContract } = telling()
    story.revises('backend', revision, at(15), { path: '/shown' })
    sees('frontend', 16)
    expect(ofContract()).toMatchObject([{ state: 'seen' }])
    story.revises('backend', revision, at(13), { path: '/elsewhere' })
    expect(ofContract()).toMatchObject([{ state: 'stored' }])
  })

  test('replicated at least, where its agent works with this very daemon', () => {
    const { story, revision, ofContract } = telling()
    story.answers('frontend', revision, 'agree', at(11))
    expect(ofContract()).toEqual([
      {
        repo_id: story.repoId('backend'),
        repo: 'backend',
        state: 'replicated',
        stored_at: at(11),
        replicated_at: at(11),
      },
    ])
  })

  test('stored, where this daemon speaks for an agent that signs nothing itself', () => {
    const story = new Story({ joined: ['backend'] })
    const claimed = BACKEND.claim(story.projectId, 'frontend', at(2))
    const { public_key, endpoint, repo_name } = claimed.body
    const body = { public_key, endpoint, repo_name, agent_id: 'python', reported_by: 'backend' }
    const claim = {
      project_id: story.projectId,
      kind: 'claim',
      about: claimed.about,
      at: at(2),
      body,
    } as const
    story.say(BACKEND.say(claim))
    const revision = story.proposes('backend', at(10), { parties: ['backend', 'frontend'] })
    const deliveries = deliveriesIn(story.view, story.found, SELF).ofContract(story.contract(revision))
    expect(deliveries).toMatchObject([{ repo: 'frontend', state: 'stored' }])
  })
})

test('a packet is told to all repos but its author', () => {
  const { story, ofPackets } = telling({ peer: {}, link: REACHED })
  const shared = story.shares('backend', at(12))
  expect(ofPackets(shared)).toEqual({
    [shared.about]: [
      {
        repo_id: story.repoId('frontend'),
        repo: 'frontend',
        state: 'replicated',
        stored_at: at(12),
        replicated_at: at(17),
      },
    ],
  })
})

test('what was shown is news once in each state', () => {
  const { story, revision, sees } = telling()
  const seen = () =>
    seenBy(story.repoId('frontend'), readStateOfContract(story.contract(revision)), story.found) !== undefined
  expect(seen()).toBe(false)
  sees('frontend', 18)
  expect(seen()).toBe(true)
  story.answers('frontend', revision, 'agree', at(19))
  expect(seen()).toBe(false)
})
