import { describe, expect, test } from 'vitest'
import type { Caller, Env } from '../../../src/domain/env.ts'
import type { Peer } from '../../../src/domain/model.ts'
import { approvePeer, Registration, registerPeer, revokePeer } from '../../../src/domain/peers/peers.ts'
import type { View } from '../../../src/domain/view.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { signerOf } from '../../support/desk/signer.ts'
import { at, EMPTY_VIEW, orderedTableOf } from '../builders.ts'

const SELF = 'aid://localhost/self@1.0.0'
const OTHER = 'aid://localhost/other@1.0.0'

const viewWith = (peers: Peer[]): View => ({
  ...EMPTY_VIEW,
  peers: orderedTableOf(peers, { id: (one) => one.agent_id, created: (one) => one.registered_at }),
})

const envOf = (kind: Caller['kind'], second = 5): Env => ({
  caller: { kind, agentId: OTHER, repoName: null },
  self: {
    agentId: SELF,
    repo: 'self',
    role: 'backend',
    language: 'go',
    endpoint: 'http://127.0.0.1:8080',
    storeId: 'here',
    signer: signerOf('self'),
  },
  now: at(second),
  newId: () => 'id',
  newNonce: () => 'A'.repeat(22),
  attachment: null,
})

const peer = (given: Partial<Peer> = {}): Peer => ({
  agent_id: OTHER,
  endpoint: 'http://127.0.0.1:8081',
  repo_name: 'other',
  trust: 'approved',
  registered_at: at(1),
  last_seen: at(1),
  ...given,
})

const many = (count: number, trust: Peer['trust']): Peer[] =>
  Array.from({ length: count }, (_, index) => peer({ agent_id: `aid://localhost/p${index}@1.0.0`, trust }))

const request = { agentId: OTHER, endpoint: 'http://127.0.0.1:8081', repoName: 'other' }

describe('a daemon that registers with a credential', () => {
  test('is approved and counted', () => {
    expect(registerPeer(viewWith([]), request, envOf('operator'))).toEqual({
      result: { status: 'registered', peerCount: 1 },
      local: [
        {
          table: 'peer',
          id: OTHER,
          value: peer({ reach: 'operator', registered_at: at(5), last_seen: at(5) }),
        },
      ],
    })
  })

  test('and does so again is counted once and keeps its first date', () => {
    const { result, local } = registerPeer(viewWith([peer()]), request, envOf('open'))
    expect(result).toEqual({ status: 'registered', peerCount: 1 })
    expect(local).toMatchObject([{ value: { registered_at: at(1), last_seen: at(5) } }])
  })

  test('turns from pending to approved', () => {
    const { result, local } = registerPeer(viewWith([peer({ trust: 'pending' })]), request, envOf('operator'))
    expect(result).toEqual({ status: 'registered', peerCount: 1 })
    expect(local).toMatchObject([{ value: { trust: 'approved' } }])
  })

  test('is refused when there are as many peers as fit', () => {
    const full = viewWith(many(LIMITS.peers, 'approved'))
    expect(() => registerPeer(full, request, envOf('operator'))).toThrow(
      expect.objectContaining({ kind: 'unavailable' }),
    )
  })

  test('is stored without the slash behind its endpoint', () => {
    const { local } = registerPeer(viewWith([]), { ...request, endpoint: 'http://h:1//' }, envOf('operator'))
    expect(local).toMatchObject([{ value: { endpoint: 'http://h:1' } }])
  })
})

describe('somebody who registers without a credential', () => {
  test('is only noted as pending, and not counted', () => {
    const { result, local } = registerPeer(viewWith([]), request, envOf('anonymous'))
    expect(result).toEqual({ status: 'pending', peerCount: 0 })
    expect(local).toMatchObject([{ value: { trust: 'pending' } }])
  })

  test('cannot change a peer that is approved', () => {
    const moved = { ...request, endpoint: 'http://evil.example' }
    expect(() => registerPeer(viewWith([peer()]), moved, envOf('anonymous'))).toThrow(
      expect.objectContaining({ kind: 'forbidden' }),
    )
  })

  test('is refused when too many are waiting already, unless it is one of them', () => {
    const waiting = many(LIMITS.pendingPeers, 'pending')
    expect(() => registerPeer(viewWith(waiting), request, envOf('anonymous'))).toThrow(
      expect.objectContaining({ kind: 'rate_limited' }),
    )
    const again = { ...request, agentId: waiting[0]?.agent_id ?? '' }
    expect(registerPeer(viewWith(waiting), again, envOf('anonymous')).result?.status).toBe('pending')
  })

  test('cannot change what another said who is waiting under the same name', () => {
    const moved = { ...request, endpoint: 'http://evil.example', repoName: 'evil' }
    const { result, local } = registerPeer(viewWith([peer({ trust: 'pending' })]), moved, envOf('anonymous'))
    expect(result).toEqual({ status: 'pending', peerCount: 0 })
    expect(local).toBeUndefined()
  })

  test('takes the place of the longest waiting one after a day, and of no approved one', () => {
    const approved = peer({ agent_id: 'aid://localhost/first@1.0.0', registered_at: at(0) })
    const full = viewWith([approved, ...many(LIMITS.pendingPeers, 'pending')])
    const day = LIMITS.pendingPeerSeconds
    expect(() => registerPeer(full, request, envOf('anonymous', 1 + day))).toThrow(
      expect.objectContaining({ kind: 'rate_limited' }),
    )
    const { result, local } = registerPeer(full, request, envOf('anonymous', 2 + day))
    expect(result).toEqual({ status: 'pending', peerCount: 1 })
    expect(local).toMatchObject([
      { table: 'peer', id: 'aid://localhost/p0@1.0.0', value: null },
      { table: 'peer', id: OTHER, value: { trust: 'pending' } },
    ])
  })

  test('is not kept out by approved peers, however many', () => {
    const busy = viewWith(many(LIMITS.pendingPeers, 'approved'))
    expect(registerPeer(busy, request, envOf('anonymous')).result?.status).toBe('pending')
  })
})

test('a daemon that registers with itself stores nothing', () => {
  const { result, local } = registerPeer(viewWith([]), { ...request, agentId: SELF }, envOf('operator'))
  expect(result).toEqual({ status: 'registered', peerCount: 0 })
  expect(local).toBeUndefined()
})

test('a registration needs a printable name and an http(s) endpoint, and may leave out the repo', () => {
  const isFine = (given: object) => Registration.safeParse({ ...request, ...given }).success
  expect(isFine({})).toBe(true)
  expect(isFine({ agentId: 'agent-other' })).toBe(true)
  expect(isFine({ repoName: undefined })).toBe(true)
  expect(isFine({ agentId: 'a\u0000' })).toBe(false)
  expect(isFine({ endpoint: 'file:///etc/passwd' })).toBe(false)
  expect(isFine({ endpoint: 'http://user:secret@host' })).toBe(false)
  expect(isFine({ endpoint: 'http://host/#x' })).toBe(false)
  expect(isFine({ repoName: '  ' })).toBe(false)
})

const IDENTITY = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } as const

describe('a peer', () => {
  test('that registers somebody else is refused', () => {
    const other = { ...request, agentId: 'aid://localhost/third@1.0.0' }
    expect(() => registerPeer(viewWith([peer()]), other, envOf('peer'))).toThrow(`cannot register`)
  })

  test('that was paired may move, and stays who it was invited as', () => {
    const known = peer({ identity: IDENTITY, certificate: 'ab' })
    const moved = { ...request, endpoint: 'http://127.0.0.1:9000', repoName: 'another' }
    expect(registerPeer(viewWith([known]), moved, envOf('peer')).local).toMatchObject([
      {
        value: {
          endpoint: 'http://127.0.0.1:9000',
          repo_name: 'other',
          identity: IDENTITY,
          certificate: 'ab',
          trust: 'approved',
        },
      },
    ])
  })

  test.each(['open', 'anonymous', 'known', 'peer'] as const)(
    'that was revoked has to wait when it comes back as %s, and stays revoked until the operator lets it in',
    (kind) => {
      const { result, local } = registerPeer(viewWith([peer({ trust: 'revoked' })]), request, envOf(kind))
      expect(result).toEqual({ status: 'pending', peerCount: 0 })
      expect(local).toBeUndefined()
    },
  )

  test('that was removed while it was registering again is only pending', () => {
    const { result, local } = registerPeer(viewWith([]), request, envOf('peer'))
    expect(result).toEqual({ status: 'pending', peerCount: 0 })
    expect(local).toMatchObject([{ value: { trust: 'pending' } }])
  })

  test('that is approved says whether it has a key', () => {
    const { result, local } = approvePeer(viewWith([peer({ trust: 'pending' })]), OTHER)
    expect(result).toMatchObject({ hasKey: false, peer: { trust: 'approved' } })
    expect(local).toMatchObject([{ id: OTHER, value: { trust: 'approved' } }])
    expect(() => approvePeer(viewWith([]), OTHER)).toThrow(`No peer ${OTHER} here`)
  })

  test('that is revoked loses its keys, and is remembered', () => {
    const view: View = {
      ...viewWith([peer()]),
      keys: orderedTableOf([{ hash: 'h', agent_id: OTHER, created_at: at(1), retires_at: null }], {
        id: ({ hash }) => hash,
        created: () => '',
      }),
    }
    const { local = [] } = revokePeer(view, OTHER)
    expect(local).toContainEqual({ table: 'key', id: 'h', value: null })
    expect(local.at(-1)).toMatchObject({ table: 'peer', value: { trust: 'revoked' } })
    expect(() => revokePeer(viewWith([]), OTHER)).toThrow(`No peer ${OTHER} here`)
  })
})

describe('whose word does not let a peer in', () => {
  test.each(['known', 'token', 'anonymous'] as const)('is that of a caller that is only %s', (kind) => {
    const { result, local } = registerPeer(viewWith([]), request, envOf(kind))
    expect(result).toMatchObject({ status: 'pending' })
    expect(local).toMatchObject([{ table: 'peer', value: { trust: 'pending' } }])
    expect(() => registerPeer(viewWith([peer()]), request, envOf(kind))).toThrow('changing it needs a key')
  })

  test('is that of a program without a key, where the peer was paired', () => {
    const paired = peer({ identity: { kty: 'OKP', crv: 'Ed25519', x: 'x' } })
    const moved = { ...request, endpoint: 'http://127.0.0.1:9999' }
    expect(() => registerPeer(viewWith([paired]), moved, envOf('open'))).toThrow('changing it needs its key')
    expect(registerPeer(viewWith([paired]), moved, envOf('peer')).local).toMatchObject([
      { value: { endpoint: moved.endpoint, identity: paired.identity } },
    ])
  })
})
