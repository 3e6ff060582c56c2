import { describe, expect, test } from 'vitest'
import type { Self } from '../../../src/domain/env.ts'
import type { Peer } from '../../../src/domain/model.ts'
import { hashOfSecret } from '../../../src/domain/trust/keys.ts'
import type { ApiKey, Guest, IssuedToken, PublicKey } from '../../../src/domain/trust/trust.ts'
import type { OrderedTable } from '../../../src/domain/view.ts'
import { createIdentify, type IdentifyDeps } from '../../../src/http/guard/identify.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { addMicros, type Stamp } from '../../../src/protocol/stamp.ts'

const NOW = '2026-11-16T09:00:00.000000Z' as Stamp
const SELF = 'aid://example.com/backend@1.0.0'
const PEER = 'aid://example.com/frontend@1.0.0'
const GUEST = 'aid://example.com/guest@1.0.0'
const OPERATOR_KEY = `cacp_op_${'o'.repeat(43)}`
const KEY = `cacp_sk_live_${'k'.repeat(43)}`
const OLD_KEY = `cacp_sk_live_${'j'.repeat(43)}`
const IDENTITY: PublicKey = { kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43) }
const TOKEN = 'a.b.c'

const shelf = <Value>(values: Record<string, Value>): OrderedTable<Value> => ({
  size: Object.keys(values).length,
  get: (id) => (Object.hasOwn(values, id) ? values[id] : undefined),
  oldestFirst: () => Object.values(values),
  newestFirst: () => Object.values(values).reverse(),
  beginningWith: () => [],
})
const peer = (given: Partial<Peer> = {}): Peer => ({
  agent_id: PEER,
  endpoint: 'http://127.0.0.1:8081',
  repo_name: 'frontend-app',
  trust: 'approved',
  registered_at: NOW,
  last_seen: NOW,
  ...given,
})
const apiKey = (key: string, given: Partial<ApiKey> = {}): Record<string, ApiKey> => {
  const hash = hashOfSecret(key)
  return { [hash]: { hash, agent_id: PEER, created_at: NOW, retires_at: null, ...given } }
}
const token: IssuedToken = {
  token_id: 't1',
  project_id: 'p1',
  subject: GUEST,
  permissions: ['project:read'],
  issued_at: NOW,
  expires_at: addMicros(NOW, 1_000_000),
  revoked_at: null,
}

interface Setting extends Partial<Pick<IdentifyDeps, 'open' | 'known'>> {
  peers?: Peer[]
  keys?: Record<string, ApiKey>
  guests?: Record<string, Guest>
}

const identifyWith = ({
  peers = [peer()],
  keys = apiKey(KEY),
  guests = {},
  open = false,
  known,
}: Setting = {}) =>
  createIdentify({
    self: { agentId: SELF, repo: 'backend-api' } as Self,
    operatorKey: OPERATOR_KEY,
    open,
    known,
    view: {
      peers: shelf(Object.fromEntries(peers.map((one) => [one.agent_id, one]))),
      keys: shelf(keys),
      guests: shelf(guests),
    },
    clock: { now: () => NOW },
    readToken: async (jwt) => {
      if (jwt === TOKEN) return token
      throw new Fault('unauthorized', 'no')
    },
  })

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const named = (agentId: string) => ({ 'x-agent-id': agentId })
const unauthorized = expect.objectContaining({
  kind: 'unauthorized',
  next: expect.stringMatching(/cacpd key.*cacpd invite.*cacpd join/),
})
const caught = async (
  identify: ReturnType<typeof identifyWith>,
  headers: Record<string, string>,
): Promise<unknown> => {
  try {
    return await identify(headers)
  } catch (error) {
    return error
  }
}

describe('the key of a peer', () => {
  test('says who calls, with or without its name beside it', () => {
    const caller = { kind: 'peer', agentId: PEER, repoName: 'frontend-app' }
    expect(identifyWith()(bearer(KEY))).toMatchObject(caller)
    expect(identifyWith()({ ...bearer(KEY), ...named(PEER) })).toMatchObject(caller)
    expect(identifyWith()({ authorization: `bearer ${KEY}` })).toMatchObject(caller)
  })

  test('is told by the beginning of its hash, never by itself', () => {
    const { credential } = identifyWith()(bearer(KEY)) as { credential: string }
    expect(credential).toBe(hashOfSecret(KEY).slice(0, 8))
  })

  test.each([SELF, GUEST])('cannot be used in the name of %s', async (other) => {
    expect(await caught(identifyWith(), { ...bearer(KEY), ...named(other) })).toMatchObject({
      kind: 'forbidden',
    })
  })

  test('works beside a newer one until it retires', async () => {
    const both = (retires_at: Stamp) => ({ ...apiKey(KEY), ...apiKey(OLD_KEY, { retires_at }) })
    const later = identifyWith({ keys: both(addMicros(NOW, 1)) })
    expect(later(bearer(OLD_KEY))).toMatchObject({ agentId: PEER })
    expect(later(bearer(KEY))).toMatchObject({ agentId: PEER })
    expect(await caught(identifyWith({ keys: both(NOW) }), bearer(OLD_KEY))).toEqual(unauthorized)
  })

  test.each(['pending', 'revoked'] as const)('of one that is %s opens nothing', async (trust) => {
    expect(await caught(identifyWith({ peers: [peer({ trust })] }), bearer(KEY))).toEqual(unauthorized)
    expect(await caught(identifyWith({ peers: [] }), bearer(KEY))).toEqual(unauthorized)
  })

  test.each([
    ['unknown', `cacp_sk_live_${'x'.repeat(43)}`],
    ['cut short', KEY.slice(0, -1)],
    ['of another kind', KEY.replace('live', 'test')],
    ['as its hash', hashOfSecret(KEY)],
    ['as an operator key', KEY.replace('cacp_sk_live_', 'cacp_op_')],
    ['the operator key with more', `${OPERATOR_KEY}x`],
    ['out of Object.prototype', 'cacp_sk_constructor'],
    ['nothing that anybody knows', 'x'],
  ])('that is %s is refused in the same words, also where none is needed', async (_what, key) => {
    for (const open of [false, true]) {
      const thrown = await caught(identifyWith({ open }), bearer(key))
      expect(thrown).toEqual(unauthorized)
      expect((thrown as Fault).message).toBe('Authorization: this key is not valid here')
    }
  })
})

describe('the operator', () => {
  test('acts as the agent of the daemon, or as one that shares it', () => {
    expect(identifyWith()(bearer(OPERATOR_KEY))).toMatchObject({ kind: 'operator', agentId: SELF })
    expect(identifyWith()({ ...bearer(OPERATOR_KEY), ...named(GUEST) })).toMatchObject({ agentId: GUEST })
  })

  test('cannot act as a peer; one that only asked to be let in takes no name away', async () => {
    const asPeer = { ...bearer(OPERATOR_KEY), ...named(PEER) }
    expect(await caught(identifyWith(), asPeer)).toMatchObject({ kind: 'forbidden' })
    expect(identifyWith({ peers: [peer({ trust: 'pending' })] })(asPeer)).toMatchObject({ agentId: PEER })
  })
})

describe('without a key', () => {
  test('nobody is anybody at a daemon that is not open, whatever name is sent', () => {
    expect(identifyWith()({})).toMatchObject({ kind: 'anonymous', repoName: null })
    expect(identifyWith()(named(PEER))).toMatchObject({ kind: 'anonymous', repoName: null })
    expect(identifyWith()({ authorization: 'Bearer ' })).toMatchObject({ kind: 'anonymous' })
  })

  test('a peer that only registered is known by its name at an open daemon', () => {
    expect(identifyWith({ open: true })(named(PEER))).toMatchObject({
      kind: 'peer',
      repoName: 'frontend-app',
    })
    expect(identifyWith({ open: true })({})).toMatchObject({ kind: 'open', repoName: 'backend-api' })
    expect(identifyWith({ open: true })(named(GUEST))).toMatchObject({ kind: 'open', agentId: GUEST })
  })

  test('a name that a program made up means the agent of an open daemon, until it is known here', () => {
    const open = identifyWith({ open: true })
    expect(open(named('agent-backend-api'))).toEqual({
      kind: 'open',
      agentId: SELF,
      repoName: 'backend-api',
      called: 'agent-backend-api',
    })
    const guests = { codex: { agent_id: 'codex', since: NOW } }
    expect(identifyWith({ open: true, guests })(named('codex'))).toEqual({
      kind: 'open',
      agentId: 'codex',
      repoName: null,
    })
    const registered = identifyWith({ open: true, peers: [peer({ agent_id: 'agent-x' })] })
    expect(registered(named('agent-x'))).toMatchObject({ kind: 'peer', agentId: 'agent-x' })
    expect(identifyWith()({ ...bearer(OPERATOR_KEY), ...named('codex') })).toMatchObject({ agentId: 'codex' })
  })

  test('a full agent ID means itself, known or not', () => {
    expect(identifyWith({ open: true })(named('aid://d/Back@1.0.0'))).toMatchObject({
      agentId: 'aid://d/Back@1.0.0',
    })
  })

  test('a name beyond ASCII is read as UTF-8, as clients send it', () => {
    const sent = Buffer.from('agent-café').toString('latin1')
    expect(identifyWith({ open: true })(named(sent))).toMatchObject({ called: 'agent-café' })
  })

  test.each(['a\tb', ' ', 'x'.repeat(257), '\xe2\x80\xae', '__proto__', 'a\u0085b'])(
    'a name that is none (%j) is refused',
    async (bad) => {
      expect(await caught(identifyWith({ open: true }), named(bad))).toMatchObject({
        kind: 'invalid_request',
      })
    },
  )

  test.each([peer({ identity: IDENTITY }), peer({ trust: 'revoked' })])(
    'nobody comes in the name of a paired or a revoked peer, also at an open daemon',
    async (one) => {
      const identify = identifyWith({ open: true, peers: [one] })
      expect(await caught(identify, named(PEER))).toEqual(unauthorized)
    },
  )

  test.each(['Basic YTpi', 'Token x', KEY])('another scheme (%s) is refused', async (authorization) => {
    expect(await caught(identifyWith({ open: true }), { authorization })).toEqual(unauthorized)
  })
})

describe('a project token', () => {
  test('makes its bearer act as its subject, with what it grants', async () => {
    const caller = { kind: 'token', agentId: GUEST, repoName: null, credential: 't1' }
    expect(await identifyWith()({ 'x-project-token': TOKEN })).toMatchObject({
      ...caller,
      grant: { projectId: 'p1', permissions: new Set(['project:read']) },
    })
  })

  test('beside a key grants what it says and no more; the key must be right too', async () => {
    const both = { 'x-project-token': TOKEN, ...bearer(OPERATOR_KEY) }
    expect(await identifyWith()(both)).toMatchObject({ kind: 'token' })
    expect(await caught(identifyWith(), { ...both, ...bearer('wrong') })).toEqual(unauthorized)
  })

  test('cannot be used in the name of another', async () => {
    const asOther = { 'x-project-token': TOKEN, ...named(PEER) }
    expect(await caught(identifyWith(), asOther)).toMatchObject({ kind: 'forbidden' })
  })
})

describe('an agent of the exchange', () => {
  const header = Buffer.from(JSON.stringify({ typ: 'cacpd-known+jwt' })).toString('base64url')
  const jwt = `${header}.x.y`
  const known = {
    verify: async (_jwt: string, audience: string) => (audience === SELF ? { agentId: GUEST } : undefined),
  }

  test('is known where that is allowed, and nowhere else', async () => {
    expect(await identifyWith({ known })(bearer(jwt))).toEqual({
      kind: 'known',
      agentId: GUEST,
      repoName: null,
    })
    expect(await caught(identifyWith(), bearer(jwt))).toEqual(unauthorized)
    expect(await caught(identifyWith({ known }), { 'x-project-token': jwt })).toMatchObject({
      kind: 'unauthorized',
    })
  })

  test('cannot come in the name of another, nor after it was revoked', async () => {
    expect(await caught(identifyWith({ known }), { ...bearer(jwt), ...named(PEER) })).toMatchObject({
      kind: 'forbidden',
    })
    const revoked = identifyWith({ known, peers: [peer({ agent_id: GUEST, trust: 'revoked' })] })
    expect(await caught(revoked, bearer(jwt))).toEqual(unauthorized)
  })
})
