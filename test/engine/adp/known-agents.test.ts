import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KNOWN_TYP } from '../../../src/domain/trust/trust.ts'
import { createKnownAgents, KNOWN_RULES } from '../../../src/engine/adp/known-agents.ts'
import type { ListedAgent } from '../../../src/engine/ports/ports.ts'
import { openIdentity } from '../../../src/io/identity/identity.ts'
import { verifyBytes, verifySignature } from '../../../src/io/identity/signature.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { readManifest } from '../../../src/protocol/agent/adp.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { epochSeconds, stampOfMillis } from '../../../src/protocol/stamp.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { signKnownToken } from '../../support/network/known-token.ts'
import { AID, plainManifest, type Signer, signer } from '../../support/network/manifests.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'

const US = 'aid://example.com/us@1.0.0'
const START = Date.parse('2026-11-16T12:00:00Z')

/** A daemon that lets Known agents in, and an exchange whose answers the test decides. */
async function setting(rules: Partial<typeof KNOWN_RULES> = {}, disk = new SimulatedDisk()) {
  let millis = START
  let count = 0
  const clock = {
    now: () => stampOfMillis(millis),
    newId: () => `id-${count++}`,
    newNonce: () => `${count++}`,
  }
  const asked: string[] = []
  const listed = new Map<string, ListedAgent>()
  let answer = async (aid: string): Promise<ListedAgent | undefined> => listed.get(aid)
  const { store } = await openStore({ directory: '/data', disk, clock })
  const known = createKnownAgents({
    store,
    exchange: {
      get: (aid) => {
        asked.push(aid)
        return answer(aid)
      },
    },
    verify: verifySignature,
    verifyBytes,
    clock,
    rules: { ...KNOWN_RULES, ...rules },
  })
  return {
    known,
    clock,
    asked,
    list: (text: string, isVerified = true) =>
      listed.set(readManifest(text).manifest.aid, { ...readManifest(text), isVerified }),
    unlist: (aid: string) => listed.delete(aid),
    answerWith: (other: typeof answer) => {
      answer = other
    },
    pass: (seconds: number) => {
      millis += seconds * 1000
    },
    now: () => epochSeconds(clock.now()),
  }
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function token(claims: JsonObject, key: KeyObject, header: JsonObject = {}): string {
  const signed = `${base64({ alg: 'EdDSA', typ: KNOWN_TYP, ...header })}.${base64(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

const claims = (now: number, more: JsonObject = {}): JsonObject => ({
  iss: AID,
  sub: AID,
  aud: US,
  iat: now,
  exp: now + 300,
  jti: 'one',
  ...more,
})

describe('an agent that is registered with the exchange', () => {
  test('is known by a token that the key of its manifest signed', async () => {
    const { known, list, now } = await setting()
    const agent = signer()
    list(agent.signed(plainManifest()))
    expect(await known.verify(token(claims(now()), agent.privateKey), US)).toEqual({ agentId: AID })
  })

  test('is known by the token that a daemon makes', async () => {
    await using folder = await folderWith()
    const { known, list, clock } = await setting()
    const identity = await openIdentity(folder.path, clock)
    const raw = Buffer.from(identity.publicKey.x, 'base64url').toString('base64')
    const manifest = plainManifest({ security: { signingKeys: { current: `ed25519:${raw}` } } })
    const { signedText } = readManifest(JSON.stringify(manifest))
    const signature = await identity.signBytes(Buffer.from(signedText))
    list(JSON.stringify({ ...manifest, signature }))
    const jwt = await signKnownToken({ identity, clock }, { agentId: AID, audience: US })
    expect(await known.verify(jwt, US)).toEqual({ agentId: AID })
  })

  test('is known by each token once', async () => {
    const { known, list, now } = await setting()
    const agent = signer()
    list(agent.signed(plainManifest()))
    const one = token(claims(now()), agent.privateKey)
    const answers = await Promise.all([known.verify(one, US), known.verify(one, US), known.verify(one, US)])
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1)
    expect(await known.verify(one, US)).toBeUndefined()
    expect(await known.verify(token(claims(now(), { jti: 'two' }), agent.privateKey), US)).toBeDefined()
  })

  test.each<[string, JsonObject]>([
    ['for somebody else', { aud: 'aid://example.com/other@1.0.0' }],
    ['for a list of audiences', { aud: [US] }],
    ['that has ended', { iat: -301, exp: -1 }],
    ['that ends just now', { iat: -300, exp: 0 }],
    ['that lives too long', { exp: 301 }],
    ['that ends before it begins', { iat: 0, exp: 0 }],
    ['from the future', { iat: 120, exp: 180 }],
    ['without an end', { exp: null }],
    ['without a beginning', { iat: null }],
    ['without a name of its own', { jti: null }],
    ['with an endless name', { jti: 'x'.repeat(201) }],
    ['about somebody else', { sub: 'aid://example.com/other@1.0.0' }],
    ['of nobody', { iss: 'nobody', sub: 'nobody' }],
    ['in our own name', { iss: US, sub: US }],
  ])('is not known by a token %s, and the exchange is not even asked', async (_what, more) => {
    const { known, list, now, asked } = await setting()
    const agent = signer()
    list(agent.signed(plainManifest()))
    const times = Object.fromEntries(
      Object.entries(more).map(([key, value]) => [key, typeof value === 'number' ? now() + value : value]),
    )
    expect(await known.verify(token(claims(now(), times), agent.privateKey), US)).toBeUndefined()
    expect(asked).toEqual([])
  })

  test.each<[string, JsonObject]>([
    ['of another type', { typ: 'JWT' }],
    ['of a project', { typ: 'cacpd-project+jwt' }],
    ['that says it is not signed', { alg: 'none' }],
    ['of a symmetric kind', { alg: 'HS256' }],
    ['that brings its own key', { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x' } }],
    ['that says where its key is', { jku: 'http://127.0.0.1/' }],
  ])('is not known by a token %s', async (_what, header) => {
    const { known, list, now } = await setting()
    const agent = signer()
    list(agent.signed(plainManifest()))
    expect(await known.verify(token(claims(now()), agent.privateKey, header), US)).toBeUndefined()
  })

  test('is not known by a token that another key signed, or that is none', async () => {
    const { known, list, now } = await setting()
    list(signer().signed(plainManifest()))
    const stranger = generateKeyPairSync('ed25519').privateKey
    expect(await known.verify(token(claims(now()), stranger), US)).toBeUndefined()
    for (const text of [
      '',
      '..',
      'a.b.c',
      `${'x'.repeat(5000)}.b.c`,
      base64({}),
      `${base64({})}.${base64(null)}.`,
    ])
      expect(await known.verify(text, US)).toBeUndefined()
  })

  test.each<[string, (agent: Signer) => [string, boolean]]>([
    ['the exchange has not verified', (agent) => [agent.signed(plainManifest()), false]],
    [
      'is not signed',
      (agent) => [JSON.stringify(plainManifest({ security: { signingKeys: { current: agent.key } } })), true],
    ],
    [
      'was changed since it was signed',
      (agent) => [agent.signed(plainManifest()).replace('localhost', 'evil.host'), true],
    ],
  ])('is not known when its manifest %s', async (_what, made) => {
    const { known, list, now } = await setting()
    const agent = signer()
    const [text, isVerified] = made(agent)
    list(text, isVerified)
    expect(await known.verify(token(claims(now()), agent.privateKey), US)).toBeUndefined()
  })
})

describe('what the exchange said', () => {
  test('is asked for once by all who come at once, and kept for a while', async () => {
    const { known, list, asked, now, pass } = await setting()
    const agent = signer()
    list(agent.signed(plainManifest()))
    const come = (jti: string) => known.verify(token(claims(now(), { jti }), agent.privateKey), US)
    expect(await Promise.all(['a', 'b', 'c'].map(come))).toEqual(Array(3).fill({ agentId: AID }))
    pass(KNOWN_RULES.keepSeconds - 1)
    expect(await come('d')).toBeDefined()
    expect(asked).toHaveLength(1)
    pass(2)
    expect(await come('e')).toBeDefined()
    expect(asked).toHaveLength(2)
  })

  test('is looked up again when the key does not fit any more, but not all the time', async () => {
    const { known, list, asked, now, pass } = await setting()
    const [old, next] = [signer(), signer()]
    list(old.signed(plainManifest()))
    expect(await known.verify(token(claims(now(), { jti: 'a' }), old.privateKey), US)).toBeDefined()
    list(next.signed(plainManifest()))
    expect(await known.verify(token(claims(now(), { jti: 'b' }), next.privateKey), US)).toBeUndefined()
    expect(asked).toHaveLength(1)
    pass(KNOWN_RULES.againSeconds)
    expect(await known.verify(token(claims(now(), { jti: 'b' }), next.privateKey), US)).toBeDefined()
    expect(await known.verify(token(claims(now(), { jti: 'c' }), old.privateKey), US)).toBeUndefined()
    expect(asked).toHaveLength(2)
  })

  test('is kept for a shorter while when it knew nothing, or could not be asked', async () => {
    const { known, list, asked, answerWith, now, pass } = await setting()
    const agent = signer()
    const come = (jti: string) => known.verify(token(claims(now(), { jti }), agent.privateKey), US)
    expect(await come('a')).toBeUndefined()
    list(agent.signed(plainManifest()))
    expect(await come('b')).toBeUndefined()
    pass(KNOWN_RULES.keepMissSeconds)
    expect(await come('c')).toBeDefined()
    answerWith(() => Promise.reject(new Error('away')))
    pass(KNOWN_RULES.keepSeconds)
    expect(await come('d')).toBeUndefined()
    expect(asked).toHaveLength(3)
  })

  test('is asked about only so many at once, and so many are kept', async () => {
    const { known, asked, answerWith, list, now } = await setting({ mostLookups: 2, mostKept: 2 })
    const agent = signer()
    list(agent.signed(plainManifest()))
    const come = (n: number) => {
      const aid = `aid://example.com/a${n}@1.0.0`
      return known.verify(token(claims(now(), { iss: aid, sub: aid }), agent.privateKey), US)
    }
    await known.verify(token(claims(now()), agent.privateKey), US)
    let release = () => {}
    answerWith(
      () =>
        new Promise((resolve) => {
          release = () => resolve(undefined)
        }),
    )
    const waiting = [come(1), come(2), come(3)]
    expect(await waiting[2]).toBeUndefined()
    expect(asked).toHaveLength(3)
    release()
    answerWith(async () => undefined)
    for (let n = 4; n < 20; n++) await come(n)
    // Names that nobody has do not push out the one that somebody has.
    const before = asked.length
    expect(await known.verify(token(claims(now(), { jti: 'two' }), agent.privateKey), US)).toBeDefined()
    expect(asked).toHaveLength(before)
  })

  test('nobody comes in when no more used tokens can be remembered, until some have ended', async () => {
    const { known, list, now, pass } = await setting({ mostUsed: 2 })
    const agent = signer()
    list(agent.signed(plainManifest()))
    const come = (jti: string) => known.verify(token(claims(now(), { jti }), agent.privateKey), US)
    expect(await come('a')).toBeDefined()
    expect(await come('b')).toBeDefined()
    expect(await come('c')).toBeUndefined()
    pass(301)
    expect(await come('c')).toBeDefined()
  })
})
