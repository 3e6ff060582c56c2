import { expect, test } from 'vitest'
import { fingerprintOf } from '../../../src/domain/trust/fingerprint.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'

const key = (letter: string): PublicKey => ({ kty: 'OKP', crv: 'Ed25519', x: letter.repeat(43) })

test('both sides see the same six words, whoever is named first', () => {
  const words = fingerprintOf(key('A'), key('B'))
  expect(words).toMatch(/^([a-z]+ ){5}[a-z]+$/)
  expect(fingerprintOf(key('B'), key('A'))).toBe(words)
})

test('another key gives other words', () => {
  const seen = new Set([...'BCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => fingerprintOf(key('A'), key(letter))))
  expect(seen.size).toBe(25)
})

test('the words are the same in every version', () => {
  expect(fingerprintOf(key('A'), key('B'))).toBe('acorn gecko ginger amber circus peach')
})
