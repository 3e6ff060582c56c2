import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ADP_LIMITS,
  cacpEndpoint,
  readManifest,
  signatureIn,
  signingKeyIn,
} from '../../../src/protocol/agent/adp.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { completeManifest, plainManifest } from '../../support/network/manifests.ts'

const refusalOf = (manifest: unknown): string => {
  try {
    readManifest(JSON.stringify(manifest))
    return 'taken'
  } catch (error) {
    return error instanceof Fault ? `${error.kind}: ${error.message}` : String(error)
  }
}

describe('a manifest', () => {
  test('of a CACP agent needs no more than the document shows [cacp-adp-2]', () => {
    const aid = 'aid://example.com/backend@1.0.0'
    const invocation = { protocols: [{ type: 'cacp', version: '2.0', endpoint: 'http://localhost:8080' }] }
    const { manifest } = readManifest(JSON.stringify({ aid, name: 'Backend Agent', invocation }))
    expect(manifest.aid).toBe(aid)
    expect(cacpEndpoint(manifest)).toBe('http://localhost:8080')
  })

  test('as the CACP reference builds it is taken, although ADP would refuse it three times', () => {
    expect(refusalOf(plainManifest())).toBe('taken')
  })

  test('of another agent must have all that ADP demands', () => {
    expect(refusalOf(completeManifest())).toBe('taken')
  })

  test.each([
    'aid',
    'name',
    'owner',
    'owner.org',
    'capabilities',
    'invocation',
    'invocation.protocols',
    'privacy',
    'privacy.dataRetentionDays',
    'privacy.dataRegions',
    'privacy.dataSharing',
    'security',
    'security.signingKeys',
    'security.signingKeys.current',
    'updatedAt',
  ])('of another agent is refused without %s', (field) => {
    const manifest = completeManifest()
    const path = field.split('.')
    const last = path.pop() ?? ''
    const holder = path.reduce((inner, key) => inner[key] as Record<string, unknown>, manifest)
    delete holder[last]
    expect(refusalOf(manifest)).toMatch(`invalid_params: manifest.${field}`)
  })

  test.each([
    [{ capabilities: [] }, 'manifest.capabilities'],
    [{ capabilities: [{ id: 'x', description: 'too short' }] }, 'manifest.capabilities.0.description'],
    [{ privacy: { ...privacy(), dataRetentionDays: -2 } }, 'manifest.privacy.dataRetentionDays'],
    [{ privacy: { ...privacy(), dataRegions: [] } }, 'manifest.privacy.dataRegions'],
    [{ privacy: { ...privacy(), dataSharing: 'some' } }, 'manifest.privacy.dataSharing'],
    [{ invocation: { protocols: [] } }, 'manifest.invocation.protocols'],
    [{ security: { signingKeys: { current: 'rsa:AAAA' } } }, 'manifest.security.signingKeys.current'],
    [{ name: '' }, 'manifest.name'],
    [{ signature: 5 }, 'manifest.signature'],
  ])('of another agent with %j is refused, naming the field', (part, field) => {
    expect(refusalOf({ ...completeManifest(), ...part })).toMatch(`invalid_params: ${field}: must`)
  })

  test.each([
    'aid://d/Back@1.0.0',
    'aid://d/a_b@1.0.0',
    'aid://d/a@1.0',
    'aid:///a@1.0.0',
    'aid://d:80/a@1.0.0',
  ])('by the AID %s is refused', (aid) => {
    expect(refusalOf({ ...plainManifest(), aid })).toMatch(
      'invalid_params: manifest.aid: must look like aid://',
    )
  })

  test.each(['aid://localhost/x@1.0.0', 'aid://d/x@1.0.0-beta.1+b'])('by the AID %s is taken', (aid) => {
    expect(refusalOf({ ...plainManifest(), aid })).toBe('taken')
  })

  test('that is too large, holds what cannot be kept, or is no object is refused', () => {
    const description = 'x'.repeat(20_000)
    const large = { ...plainManifest(), a: description, b: description, c: description, d: description }
    expect(refusalOf(large)).toBe(
      `too_large: manifest: must be at most ${ADP_LIMITS.manifestLength} characters of JSON`,
    )
    expect(refusalOf({ ...plainManifest(), x: '\ud800' })).toMatch('half of a surrogate pair')
    expect(refusalOf([1])).toBe('invalid_params: manifest: must be a JSON object')
    expect(() => readManifest('{"other":1}', 'manifest')).toThrow('manifest required')
    expect(() => readManifest('{', 'manifest')).toThrow('cannot be read as JSON')
  })

  test('keeps its numbers as they were written, and is signed without its signature', () => {
    const json = JSON.stringify(plainManifest()).replace(
      /}$/,
      ',"price":1.0,"chance":1e-07,"signature":"c2ln"}',
    )
    const { text, signedText } = readManifest(`{"manifest":${json}}`, 'manifest')
    expect(signedText).toContain('"chance":1e-07')
    expect(signedText).toContain('"price":1.0')
    expect(signedText).not.toContain('signature')
    expect(text).toContain('"signature":"c2ln"')
    expect(readManifest(text)).toMatchObject({ text, signedText })
  })
})

const privacy = () => completeManifest()['privacy'] as Record<string, unknown>

describe('a public key', () => {
  const raw = Buffer.alloc(32, 7)
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
  const expected = raw.toString('base64url')

  test.each([
    ['32 raw bytes', raw.toString('base64')],
    ['32 raw bytes in the URL alphabet, unpadded', raw.toString('base64url')],
    ['44 bytes of SPKI', spki.toString('base64')],
    ['SPKI, encoded twice', Buffer.from(spki.toString('base64')).toString('base64')],
    [
      'SPKI, encoded twice, with the line end that the recipe leaves',
      Buffer.from(`${spki.toString('base64')}\n`).toString('base64'),
    ],
    ['raw, encoded twice', Buffer.from(raw.toString('base64')).toString('base64')],
  ])('is read from %s', (_what, text) => {
    expect(signingKeyIn(`ed25519:${text}`)).toBe(expected)
    expect(signingKeyIn(text)).toBe(expected)
  })

  test.each([
    ['31 bytes', Buffer.alloc(31).toString('base64')],
    ['33 bytes', Buffer.alloc(33).toString('base64')],
    ['44 bytes of another kind of key', Buffer.alloc(44, 1).toString('base64')],
    ['no base64', 'a b'],
    ['cut-off base64', 'AAAAA'],
    ['nothing', ''],
  ])('is not read from %s', (_what, text) => {
    expect(signingKeyIn(`ed25519:${text}`)).toBeUndefined()
  })
})

test('a signature is 64 bytes, with or without its algorithm before it', () => {
  const base64 = Buffer.alloc(64, 9).toString('base64')
  expect(signatureIn(base64)).toBe(base64)
  expect(signatureIn(`ed25519:${base64}`)).toBe(base64)
  expect(signatureIn(Buffer.alloc(63).toString('base64'))).toBeUndefined()
  expect(signatureIn('?')).toBeUndefined()
})

test('whatever stands where in a manifest, it is taken or refused with a sentence', () => {
  const field = fc.constantFrom(...Object.keys(completeManifest()), 'metadata', 'signature', '__proto__')
  const manifest = fc.constantFrom(plainManifest(), completeManifest())
  fc.assert(
    fc.property(manifest, field, fc.jsonValue(), (whole, key, value) => {
      expect(refusalOf({ ...whole, [key]: value })).toMatch(/^(?:taken|invalid_params: |parse_error: )/)
    }),
  )
})
