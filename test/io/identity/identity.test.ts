import { chmod, mkdir, readdir, readFile, rmdir, stat } from 'node:fs/promises'
import { calculateJwkThumbprint } from 'jose'
import { describe, expect, test } from 'vitest'
import { ROTATION_TYP } from '../../../src/domain/trust/rotation.ts'
import { openIdentity } from '../../../src/io/identity/identity.ts'
import { verifySignature, verifyText } from '../../../src/io/identity/signature.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import { addMicros } from '../../../src/protocol/stamp.ts'
import { folderWith } from '../../support/folders/folder.ts'

const AGENT = 'aid://example.com/api@1.0.0'
const TYP = 'test+jwt'

const privateHalf = async (path: string): Promise<string> => JSON.parse(await readFile(path, 'utf8')).key.d

describe('the identity', () => {
  test('is made once, for its owner only, and then never changes', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    expect((await stat(folder.at('identity.json'))).mode & 0o777).toBe(0o600)
    expect((await openIdentity(folder.path, systemClock)).publicKey).toEqual(identity.publicKey)
    expect(await readdir(folder.path)).toEqual(['identity.json'])
  })

  test('goes by the RFC 7638 thumbprint of its key', async () => {
    await using folder = await folderWith()
    const { publicKey, keyId } = await openIdentity(folder.path, systemClock)
    expect(keyId).toBe(await calculateJwkThumbprint(publicKey))
  })

  test('that others can read is not used', async () => {
    await using folder = await folderWith()
    await openIdentity(folder.path, systemClock)
    await chmod(folder.at('identity.json'), 0o640)
    await expect(openIdentity(folder.path, systemClock)).rejects.toThrow('can be read by other users')
  })

  test.each(['', '{', '{"key":{}}', 'null'])(
    'that is damaged (%j) is neither used nor replaced',
    async (text) => {
      await using folder = await folderWith({ 'identity.json': text })
      await chmod(folder.at('identity.json'), 0o600)
      await expect(openIdentity(folder.path, systemClock)).rejects.toThrow('does not hold an identity')
      expect(await readFile(folder.at('identity.json'), 'utf8')).toBe(text)
    },
  )

  test('signs bytes so that the public key alone verifies them', async () => {
    await using folder = await folderWith()
    const { publicKey, signBytes } = await openIdentity(folder.path, systemClock)
    const bytes = new TextEncoder().encode('a manifest')
    const key = await crypto.subtle.importKey('jwk', { ...publicKey }, 'Ed25519', false, ['verify'])
    const signature = Buffer.from(await signBytes(bytes), 'base64')
    expect(signature).toHaveLength(64)
    expect(await crypto.subtle.verify('Ed25519', key, signature, bytes)).toBe(true)
  })
})

describe('a rotation', () => {
  test('is stated by the old key, survives a restart, and forgets the old private half', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const old = identity.publicKey
    const oldPrivate = await privateHalf(folder.at('identity.json'))
    await identity.rotate(AGENT)
    expect(identity.publicKey).not.toEqual(old)
    const [statement = ''] = identity.rotations
    expect(await verifySignature(statement, old, ROTATION_TYP)).toEqual({
      iss: AGENT,
      iat: expect.any(Number),
      old,
      new: identity.publicKey,
    })
    const reopened = await openIdentity(folder.path, systemClock)
    expect(reopened.publicKey).toEqual(identity.publicKey)
    expect(reopened.rotations).toEqual(identity.rotations)
    expect(await readFile(folder.at('identity.json'), 'utf8')).not.toContain(oldPrivate)
    expect((await stat(folder.at('identity.json'))).mode & 0o777).toBe(0o600)
  })

  test('leaves what the old key signed valid for a day, and no longer', async () => {
    await using folder = await folderWith()
    let hours = 0
    const clock = { ...systemClock, now: () => addMicros(systemClock.now(), hours * 3_600_000_000) }
    const identity = await openIdentity(folder.path, clock)
    const old = identity.publicKey
    const token = await identity.sign({ jti: 'one' }, TYP)
    await identity.rotate(AGENT)
    expect(identity.publicKeys()).toEqual([identity.publicKey, old])
    hours = 23
    expect(await identity.verifyOwn(token, TYP)).toEqual({ jti: 'one' })
    hours = 25
    expect(await identity.verifyOwn(token, TYP)).toBeUndefined()
    expect(identity.publicKeys()).toEqual([identity.publicKey])
  })

  test('asked for twice at once makes a chain of two', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const first = identity.publicKey
    await Promise.all([identity.rotate(AGENT), identity.rotate(AGENT)])
    const [one = '', two = ''] = identity.rotations
    const second = (await verifySignature(one, first, ROTATION_TYP))?.['new']
    expect(await verifySignature(two, second as never, ROTATION_TYP)).toMatchObject({
      new: identity.publicKey,
    })
  })

  test('that cannot be saved changes nothing', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const { keyId, rotations } = identity
    // What is written aside cannot take the place of a folder.
    await mkdir(folder.at('identity.json.tmp'))
    await expect(identity.rotate(AGENT)).rejects.toThrow()
    expect(identity).toMatchObject({ keyId, rotations })
    await rmdir(folder.at('identity.json.tmp'))
    await identity.rotate(AGENT)
    expect(identity.keyId).not.toBe(keyId)
  })

  test('begun is the same one after a restart, and the old key speaks until the new one takes its place', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const old = identity.keyId
    const next = await identity.makeNext()
    expect(identity.keyId).toBe(old)
    const reopened = await openIdentity(folder.path, systemClock)
    expect(reopened.keyId).toBe(old)
    expect(reopened.next?.keyId).toBe(next.keyId)
    const proof = await reopened.signText('a proof', next.keyId)
    expect(await verifyText('a proof', next.publicKey, proof)).toBe(true)
    await reopened.rotate(AGENT)
    expect(reopened.keyId).toBe(next.keyId)
    expect(reopened.next).toBeUndefined()
  })

  test('that is taken back leaves the old key speaking, and the next one ready', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const old = identity.publicKey
    const next = await identity.makeNext()
    const takeBack = identity.takeNext()
    expect(identity.keyId).toBe(next.keyId)
    expect(identity.publicKeys()).toEqual([next.publicKey, old])
    takeBack()
    expect(identity.publicKey).toEqual(old)
    expect(identity.next?.keyId).toBe(next.keyId)
  })

  test('that is forgotten leaves nothing of the next key, also after a restart', async () => {
    await using folder = await folderWith()
    const identity = await openIdentity(folder.path, systemClock)
    const { keyId } = identity
    await identity.makeNext()
    await identity.forgetNext()
    expect(identity.next).toBeUndefined()
    expect(await openIdentity(folder.path, systemClock)).toMatchObject({ keyId, next: undefined })
  })
})
