import { expect, test } from 'vitest'
import { newNonce } from '../../../src/io/identity/secret.ts'

test('every nonce is 16 bytes in base64url, and none comes twice', () => {
  const nonces = Array.from({ length: 5000 }, newNonce)
  expect(nonces.every((nonce) => /^[A-Za-z0-9_-]{22}$/.test(nonce))).toBe(true)
  expect(new Set(nonces).size).toBe(nonces.length)
})

test('no bytes of one nonce are those of the next', () => {
  const [first, second] = [newNonce(), newNonce()].map((nonce) => Buffer.from(nonce, 'base64url'))
  expect(second?.indexOf(first?.subarray(8) ?? '')).toBe(-1)
})
