import { generateKeyPairSync, sign } from 'node:crypto'
import { CompactSign, exportJWK, exportSPKI, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import { verifySignature, verifyText } from '../../../src/io/identity/signature.ts'

const TYP = 'test+jwt'
const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
const other = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
const publicKey = (await exportJWK(pair.publicKey)) as PublicKey
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const signed = (
  header: Partial<JWTHeaderParameters> = {},
  key: Parameters<SignJWT['sign']>[0] = pair.privateKey,
) => new SignJWT({ sub: 'me' }).setProtectedHeader({ alg: 'EdDSA', typ: TYP, ...header }).sign(key)

const [header = '', payload = '', signature = ''] = (await signed()).split('.')
const theirKey = await exportJWK(other.publicKey)
const asSecret = [
  new TextEncoder().encode(publicKey.x),
  new Uint8Array(Buffer.from(publicKey.x, 'base64url')),
  new TextEncoder().encode(JSON.stringify(publicKey)),
  new TextEncoder().encode(await exportSPKI(pair.publicKey)),
]

const FORGED: [what: string, jws: string][] = [
  ['another type', await signed({ typ: 'other+jwt' })],
  ['no type', await new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).sign(pair.privateKey)],
  ['another key', await signed({}, other.privateKey)],
  ['another key that it brings itself', await signed({ jwk: theirKey }, other.privateKey)],
  ['the right key, but a header that names one', await signed({ jwk: await exportJWK(pair.publicKey) })],
  ['a header that says where its key is', await signed({ jku: 'http://127.0.0.1:9/keys' })],
  ['a header with an address of certificates', await signed({ x5u: 'http://127.0.0.1:9/certificate' })],
  [
    'a critical header that nobody knows',
    `${encoded({ alg: 'EdDSA', typ: TYP, crit: ['b'], b: 1 })}.${payload}.${signature}`,
  ],
  ['no algorithm', `${encoded({ alg: 'none', typ: TYP })}.${payload}.`],
  ['no algorithm, but our signature', `${encoded({ alg: 'None', typ: TYP })}.${payload}.${signature}`],
  ...(await Promise.all(
    asSecret.map(
      async (secret): Promise<[string, string]> => [
        'the public key as a shared secret',
        await signed({ alg: 'HS256' }, secret),
      ],
    ),
  )),
  ['other claims', `${header}.${encoded({ sub: 'you' })}.${signature}`],
  ['no signature', `${header}.${payload}.`],
  ['a part too few', `${header}.${payload}`],
  ['nothing', ''],
  ['far too much', `${header}.${'A'.repeat(20_000)}.${signature}`],
]

describe('a signature', () => {
  test('of this key and this type yields the claims', async () => {
    expect(await verifySignature(await signed(), publicKey, TYP)).toEqual({ sub: 'me' })
    expect(await verifySignature(await signed({ kid: 'any' }), publicKey, TYP)).toEqual({ sub: 'me' })
  })

  test('does not look at times, which are for the caller to judge', async () => {
    const past = await new SignJWT({ exp: 1 })
      .setProtectedHeader({ alg: 'EdDSA', typ: TYP })
      .sign(pair.privateKey)
    expect(await verifySignature(past, publicKey, TYP)).toEqual({ exp: 1 })
  })

  test.each(FORGED)('with %s is none', async (_what, jws) => {
    expect(await verifySignature(jws, publicKey, TYP)).toBeUndefined()
  })

  test.each(['[]', '"text"', 'null', 'not json'])('over %s, which are no claims, is none', async (text) => {
    const jws = await new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: 'EdDSA', typ: TYP })
      .sign(pair.privateKey)
    expect(await verifySignature(jws, publicKey, TYP)).toBeUndefined()
  })
})

describe('the signature of a text', () => {
  const { privateKey, publicKey: made } = generateKeyPairSync('ed25519')
  const key = made.export({ format: 'jwk' }) as unknown as PublicKey
  const right = sign(null, Buffer.from('what is said'), privateKey).toString('base64url')

  test('is right for that text, that key and that signature alone', async () => {
    expect(await verifyText('what is said', key, right)).toBe(true)
    expect(await verifyText('what was said', key, right)).toBe(false)
    expect(await verifyText('what is said', publicKey, right)).toBe(false)
    expect(
      await verifyText('what is said', key, sign(null, Buffer.from('no'), privateKey).toString('base64url')),
    ).toBe(false)
  })

  test('can be written in one way only, and nonsense is no signature', async () => {
    const last = right.at(-1) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const same = right.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) ^ 1)
    expect(Buffer.from(same, 'base64url')).toEqual(Buffer.from(right, 'base64url'))
    expect(await verifyText('what is said', key, same)).toBe(false)
    expect(await verifyText('what is said', key, '')).toBe(false)
    expect(await verifyText('what is said', { ...key, x: 'A' }, right)).toBe(false)
  })
})
