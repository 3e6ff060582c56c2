import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import type { Peer } from '../../../src/domain/model.ts'
import { otherNameOf, recordRepoName } from '../../../src/domain/peers/peers.ts'
import type { View } from '../../../src/domain/view.ts'
import { signerOf } from '../../support/desk/signer.ts'
import { at, EMPTY_VIEW, orderedTableOf } from '../builders.ts'

const AGENT = 'aid://localhost/frontend@1.0.0'
const CALLER: Caller = { kind: 'peer', agentId: AGENT, repoName: 'frontend' }

const paired = (given: Partial<Peer> = {}): Peer => ({
  agent_id: AGENT,
  endpoint: 'http://127.0.0.1:8081',
  repo_name: 'frontend',
  trust: 'approved',
  registered_at: at(1),
  last_seen: at(1),
  identity: signerOf('frontend').publicKey,
  ...given,
})

const viewWith = (...peers: Peer[]): View => ({
  ...EMPTY_VIEW,
  peers: orderedTableOf(peers, { id: (one) => one.agent_id, created: (one) => one.registered_at }),
})

/** The peer as it is stored after it said its name; undefined where nothing is changed. */
const heard = (peer: Peer, name: string | undefined, caller = CALLER) =>
  recordRepoName(viewWith(peer), caller, name).local?.[0]?.value as Peer | undefined

describe('a paired peer that says another name', () => {
  test('is shown with it, and goes on being known by the one it was let in under', () => {
    const peer = heard(paired(), 'web-app') ?? paired()
    expect(peer.repo_name).toBe('frontend')
    expect(otherNameOf(peer)).toBe('web-app')
    expect(heard(peer, 'web-app')).toBeUndefined()
  })

  test('is shown as before when it goes back to that one', () => {
    const back = heard(paired({ calls_itself: 'web-app' }), 'frontend') ?? paired()
    expect(otherNameOf(back)).toBeNull()
  })

  test('takes nothing over of a peer that has that name', () => {
    const other = paired({ agent_id: 'aid://localhost/backend@1.0.0', repo_name: 'backend' })
    const { local } = recordRepoName(viewWith(paired(), other), CALLER, 'backend')
    expect(local).toEqual([{ table: 'peer', id: AGENT, value: paired({ calls_itself: 'backend' }) }])
  })
})

test('a name that is none changes nothing', () => {
  for (const name of [undefined, '', 'frontend', 'a\nb', 'x'.repeat(300)])
    expect(heard(paired(), name)).toBeUndefined()
})

test('nobody is renamed that did not prove who it is, or was shut out', () => {
  expect(heard(paired(), 'web-app', { ...CALLER, kind: 'open' })).toBeUndefined()
  expect(heard(paired(), 'web-app', { ...CALLER, agentId: 'aid://localhost/else@1.0.0' })).toBeUndefined()
  expect(heard(paired({ trust: 'revoked' }), 'web-app')).toBeUndefined()
  const { identity: _, ...registered } = paired()
  expect(heard(registered, 'web-app')).toBeUndefined()
})
