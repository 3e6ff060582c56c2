import { describe, expect, test } from 'vitest'
import type { Peer } from '../../../../src/domain/model.ts'
import { keyIdOf } from '../../../../src/domain/trust/key-id.ts'
import { PROOF_PATH, PROOF_TYP, proofClaims } from '../../../../src/domain/trust/proof.ts'
import { ROTATION_TYP, readIdentityInCard } from '../../../../src/domain/trust/rotation.ts'
import type { RotatingIdentity } from '../../../../src/engine/ports/ports.ts'
import { createDoubtIdentity } from '../../../../src/engine/replicate/peer/pinned-identity.ts'
import { openIdentity } from '../../../../src/io/identity/identity.ts'
import { newSecret } from '../../../../src/io/identity/secret.ts'
import { verifySignature } from '../../../../src/io/identity/signature.ts'
import { openStore } from '../../../../src/io/store/open-store.ts'
import { systemClock } from '../../../../src/io/system/clock.ts'
import { LIMITS } from '../../../../src/protocol/limits.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { SimulatedDisk } from '../../../support/simulated/disk.ts'

const AGENT = 'aid://example.com/frontend@1.0.0'

async function openPins(identity: Pick<RotatingIdentity, 'publicKey'> | undefined) {
  const { store } = await openStore({ directory: '/pins', disk: new SimulatedDisk(), clock: systemClock })
  const now = systemClock.now()
  const value: Peer = {
    agent_id: AGENT,
    endpoint: 'http://127.0.0.1:9',
    repo_name: 'frontend-app',
    trust: 'approved',
    registered_at: now,
    last_seen: now,
    ...(identity === undefined ? {} : { identity: identity.publicKey }),
  }
  await store.commit(() => ({ result: undefined, local: [{ table: 'peer', id: AGENT, value }] }))
  let told = 0
  return {
    doubt: createDoubtIdentity({ store, verify: verifySignature, newSecret, onPinned: () => told++ }),
    /** How often it was told that another key is pinned. */
    told: () => told,
    pinned: () => store.view.peers.get(AGENT)?.identity,
    formerKeys: () => store.view.peers.get(AGENT)?.former_keys,
    /** As if it had replaced its key as often before. */
    async wear(times: number) {
      const former_keys = Array.from({ length: times }, (_, n) => `key ${n}`)
      const peer = store.view.peers.get(AGENT)
      const value = peer && { ...peer, former_keys }
      await store.commit(() => ({
        result: undefined,
        local: value ? [{ table: 'peer', id: AGENT, value }] : [],
      }))
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const nothing = async () => ''

/** What a daemon with this identity answers to a challenge. */
const proving =
  (identity: Pick<RotatingIdentity, 'sign'>, { agentId = AGENT, typ = PROOF_TYP } = {}) =>
  async (path: string) => {
    const challenge = path.slice(PROOF_PATH.length + 1)
    const place = { endpoint: 'http://127.0.0.1:9', address: '127.0.0.1' }
    const claims = proofClaims({ agentId, challenge, ...place, iat: 0 })
    return JSON.stringify({ proof: await identity.sign(claims, typ) })
  }

const shown = ({ publicKey: key, rotations }: RotatingIdentity) => ({ key, rotations })

describe('the card of a pinned peer', () => {
  test('with the pinned key is beyond doubt', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    await using pins = await openPins(identity)
    expect(await pins.doubt(AGENT, shown(identity), proving(identity))).toBeUndefined()
    expect(pins.told()).toBe(0)
  })

  test('without a key is that of a stranger', async () => {
    await using folder = await folderWith()
    await using pins = await openPins(await openIdentity(folder.path, systemClock))
    expect(await pins.doubt(AGENT, null, nothing)).toMatchObject({
      kind: 'forbidden',
      message: /shows no key/,
    })
  })

  test('does not matter where none was ever pinned', async () => {
    await using folder = await folderWith()
    await using pins = await openPins(undefined)
    expect(await pins.doubt(AGENT, null, nothing)).toBeUndefined()
    expect(
      await pins.doubt(AGENT, shown(await openIdentity(folder.path, systemClock)), nothing),
    ).toBeUndefined()
    expect(pins.pinned()).toBeUndefined()
  })

  test('may show an older chain before the part that matters', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    await identity.rotate(AGENT)
    await identity.rotate(AGENT)
    await using pins = await openPins({ publicKey: identity.publicKey })
    await identity.rotate(AGENT)
    expect(identity.rotations).toHaveLength(3)
    expect(await pins.doubt(AGENT, shown(identity), proving(identity))).toBeUndefined()
    expect(pins.pinned()).toEqual(identity.publicKey)
    expect(pins.told()).toBe(1)
  })

  test('leaves known which keys it had, and cannot push one of them out', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const keys = [keyIdOf(identity.publicKey)]
    await using pins = await openPins({ publicKey: identity.publicKey })
    await identity.rotate(AGENT)
    await pins.doubt(AGENT, shown(identity), proving(identity))
    expect(pins.formerKeys()).toEqual(keys)
    await pins.wear(LIMITS.formerKeys)
    await identity.rotate(AGENT)
    expect(await pins.doubt(AGENT, shown(identity), proving(identity))).toMatchObject({
      message: /shows another key, after 1000 that it has replaced/,
    })
  })

  test('is doubted when a link of the chain is missing, foreign, or of another agent', async () => {
    await using folder = await folderWith()
    await using other = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const thief = await openIdentity(other.path, systemClock)
    const old = identity.publicKey
    await using pins = await openPins({ publicKey: old })
    const forAnother = await identity.sign(
      { iss: 'aid://example.com/other@1.0.0', iat: 1, old: { ...old }, new: { ...thief.publicKey } },
      ROTATION_TYP,
    )
    const ofAnotherType = await identity.sign(
      { iss: AGENT, iat: 1, old: { ...old }, new: { ...thief.publicKey } },
      'cacpd-pair+jwt',
    )
    const byTheThief = await thief.sign(
      { iss: AGENT, iat: 1, old: { ...old }, new: { ...thief.publicKey } },
      ROTATION_TYP,
    )
    await identity.rotate(AGENT)
    await identity.rotate(AGENT)
    const { key, rotations } = shown(identity)
    const doubtful = [
      { key, rotations: rotations.slice(1) },
      { key, rotations: rotations.slice(0, 1) },
      { key, rotations: [] },
      ...[forAnother, ofAnotherType, byTheThief].map((one) => ({ key: thief.publicKey, rotations: [one] })),
      { key: thief.publicKey, rotations },
    ]
    for (const one of doubtful) {
      const holder = one.key === key ? identity : thief
      expect(await pins.doubt(AGENT, one, proving(holder))).toMatchObject({ message: /does not vouch$/ })
    }
    expect(pins.pinned()).toEqual(old)
    expect(await pins.doubt(AGENT, { key, rotations }, proving(identity))).toBeUndefined()
    expect(pins.pinned()).toEqual(key)
  })

  test('that was copied is that of a stranger, who cannot prove that it has the key', async () => {
    await using folder = await folderWith()
    await using other = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const thief = await openIdentity(other.path, systemClock)
    await using pins = await openPins(identity)
    const old = await proving(identity)(`${PROOF_PATH}/another-challenge-before`)
    const answers = [
      proving(thief),
      proving(identity, { agentId: 'aid://example.com/other@1.0.0' }),
      proving(identity, { typ: ROTATION_TYP }),
      async () => old,
      async () => '{}',
      async () => 'not json',
    ]
    for (const answer of answers)
      expect(await pins.doubt(AGENT, shown(identity), answer)).toMatchObject({ message: /cannot prove/ })
  })

  test('pins no new key before that is proven', async () => {
    await using folder = await folderWith()
    await using other = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const thief = await openIdentity(other.path, systemClock)
    const old = identity.publicKey
    await using pins = await openPins({ publicKey: old })
    await identity.rotate(AGENT)
    expect(await pins.doubt(AGENT, shown(identity), proving(thief))).toBeDefined()
    expect(pins.pinned()).toEqual(old)
  })
})

describe('what a card shows as its identity', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }

  test('is read with nothing but the key and the last statements', () => {
    const rotations = Array.from({ length: 50 }, (_, index) => String(index))
    const read = readIdentityInCard({
      key: { ...key, d: 'private', jku: 'http://x' },
      rotations: [...rotations, 7],
    })
    expect(read).toEqual({ key, rotations: rotations.slice(-31) })
  })

  test.each([
    undefined,
    null,
    'text',
    {},
    { key: {} },
    { key: { ...key, crv: 'X25519' } },
    { key: { ...key, x: 'short' } },
    { key: { ...key, x: `${key.x.slice(0, -1)}p` } },
  ])('is none in %j', (value) => {
    expect(readIdentityInCard(value)).toBeNull()
  })
})
