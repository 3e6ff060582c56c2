import { describe, expect, test } from 'vitest'
import { isProofFrom, isProofOf, proofClaims } from '../../../src/domain/trust/proof.ts'

const AGENT = 'aid://example.com/frontend@1.0.0'
const CHALLENGE = 'c'.repeat(43)
const given = (endpoint: string, address = '127.0.0.1') =>
  proofClaims({ agentId: AGENT, challenge: CHALLENGE, endpoint, address, iat: 0 })
const FAR = { address: '127.0.0.1', port: 8080 }

test('a proof is that of one agent for one challenge', () => {
  const claims = given('http://127.0.0.1:8080')
  expect(isProofOf(claims, AGENT, CHALLENGE)).toBe(true)
  expect(isProofOf(claims, AGENT, 'd'.repeat(43))).toBe(false)
  expect(isProofOf(claims, 'aid://example.com/mobile@1.0.0', CHALLENGE)).toBe(false)
})

describe('a proof is from the far end of a connection', () => {
  test('when it names the port, by whatever name of the machine', () => {
    expect(isProofFrom(given('http://127.0.0.1:8080'), FAR)).toBe(true)
    expect(isProofFrom(given('http://localhost:8080/base'), FAR)).toBe(true)
    expect(isProofFrom(given('http://localhost'), { ...FAR, port: 80 })).toBe(true)
  })

  test.each(['http://127.0.0.1:8081', 'http://127.0.0.1', 'https://127.0.0.1:8080', '8080', ''])(
    'but not when its endpoint is %j',
    (endpoint) => expect(isProofFrom(given(endpoint), FAR)).toBe(false),
  )

  test('but not when it was given at another address', () => {
    expect(isProofFrom(given('http://127.0.0.1:8080', '192.168.0.2'), FAR)).toBe(false)
    expect(isProofFrom(given('http://localhost:8080', '::1'), FAR)).toBe(false)
    expect(isProofFrom(given('http://localhost:8080', '127.0.0.2'), FAR)).toBe(false)
  })

  test('but not when it says neither', () => {
    expect(isProofFrom({ iss: AGENT, aud: CHALLENGE }, FAR)).toBe(false)
    expect(isProofFrom({ endpoint: 'http://127.0.0.1:8080' }, FAR)).toBe(false)
  })
})
