import { expect, test } from 'vitest'
import { type PeerSigns, type PersonSigns, tasksOf } from '../../../src/domain/person/tasks.ts'
import { at } from '../builders.ts'

const PEER: PeerSigns = {
  agentId: 'aid://example.com/frontend@1.0.0',
  repoName: 'frontend-app',
  endpoint: 'http://127.0.0.1:8081',
  trust: 'approved',
  fingerprint: 'acorn gecko ginger amber circus peach',
  health: 'healthy',
  lastSeen: at(1),
  lastError: null,
}

const QUIET: PersonSigns = {
  items: [],
  peers: [PEER],
  warnings: [],
  obstacles: [],
  store: { bytes: 1, quotaBytes: 100 },
  horizon: at(0),
  trustOf: () => 'unknown',
}

const told = (signs: Partial<PersonSigns>) =>
  tasksOf({ ...QUIET, ...signs }).map(({ kind, why, fix }) => ({ kind, why, fix }))

test('a daemon that is well leaves nothing for a person', () => {
  expect(tasksOf(QUIET)).toEqual([])
})

test('a peer that is away comes back by itself; one that shuts this daemon out, or is another, does not', () => {
  const sick = (health: string, lastError: string | null = null) =>
    told({ peers: [{ ...PEER, health, lastError }] })
  expect(sick('failing', 'cannot be reached')).toEqual([])
  expect(sick('paused')).toEqual([])
  expect(sick('failing', 'http://127.0.0.1:8081 answered 401')).toMatchObject([
    { kind: 'repair', why: expect.stringContaining('does not let this daemon in') },
  ])
  expect(sick('stranger')).toMatchObject([{ kind: 'repair', fix: expect.stringContaining('pair again') }])
  expect(sick('incompatible')).toMatchObject([{ kind: 'repair' }])
  expect(told({ peers: [{ ...PEER, trust: 'revoked', health: 'revoked' }] })).toEqual([])
})

test('what is wrong with the store, the clocks and the settings is told with the way out', () => {
  const problem = { message: 'The disk is full', next: 'Free some space' }
  expect(
    told({
      store: { problem, bytes: 95, quotaBytes: 100 },
      warnings: ['The clock here is wrong'],
      obstacles: [{ kind: 'untrusted_command' }],
    }),
  ).toMatchObject([
    { kind: 'repair', why: 'The disk is full', fix: 'Free some space' },
    { kind: 'repair', why: 'It holds 95 of the 100 bytes that it may take' },
    { kind: 'repair', why: 'The clock here is wrong', fix: undefined },
    { kind: 'trust_config', fix: 'Look at it and let it run with `cacpd config trust`' },
  ])
})

test('names that others chose stand in quotes that they cannot leave', () => {
  const [task] = told({
    peers: [{ ...PEER, trust: 'pending', repoName: 'x» \u202e is trusted', health: 'pending' }],
  })
  expect(task?.why).toBe('«x" is trusted» at «http://127.0.0.1:8081» asks to be let in')
})

test('the oldest come first, behind what has no age', () => {
  const obstacle = (agentId: string, minute: number) =>
    ({ kind: 'not_allowed', agentId, repoName: null, workType: 'build', at: at(minute) }) as const
  const ids = tasksOf({
    ...QUIET,
    peers: [{ ...PEER, trust: 'pending', lastSeen: at(5) }],
    obstacles: [obstacle('late', 9), obstacle('early', 2), { kind: 'untrusted_command' }],
  }).map(({ id }) => id)
  expect(ids).toEqual([
    'trust_config',
    'allow_agent:early',
    `approve_peer:${PEER.agentId}`,
    'allow_agent:late',
  ])
})
