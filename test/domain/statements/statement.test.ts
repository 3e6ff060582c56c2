import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  readStatement,
  type Statement,
  signedText,
  textOf,
  withoutContent,
} from '../../../src/domain/statements/statement.ts'
import { at } from './at.ts'
import { openScene } from './scene.ts'

describe('the text of a statement', () => {
  const { backend, claims, repos } = openScene()
  const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend] })
  const refusal = (text: string) => readStatement(text)

  test('is read back as it was written', () => {
    expect(readStatement(textOf(proposed))).toEqual({ statement: proposed })
  })

  test('is refused in any other form than the canonical one', () => {
    expect(refusal(JSON.stringify(proposed))).toEqual({ refused: 'is not written in canonical form' })
    expect(refusal(` ${textOf(proposed)}`)).toEqual({ refused: 'is not written in canonical form' })
    expect(refusal('{')).toEqual({ refused: 'is not JSON' })
    expect(refusal('null')).toHaveProperty('refused')
  })

  test.each<[string, (statement: Statement) => object]>([
    ['another time', (one) => ({ ...one, at: at(11) })],
    ['another body', (one) => ({ ...one, body: { ...one.body, version: 2 } })],
    ['another entity', (one) => ({ ...one, about: 'somewhere-else' })],
    ['another project', (one) => ({ ...one, project_id: 'p2' })],
    ['another key', (one) => ({ ...one, key: openScene().frontend.key })],
    ['another content', (one) => ({ ...one, content: { ...one.content, value: { x: 1 } } })],
    ['a key more', (one) => ({ ...one, extra: true })],
  ])('with %s is another statement', (_, alter) => {
    expect(refusal(textOf(alter(proposed) as Statement))).toEqual({
      refused: 'id is not the hash of what it says',
    })
  })

  test('keeps keys that this version does not know', () => {
    const later = backend.say({ ...stripped(proposed), ...{ colour: 'blue' } })
    expect(readStatement(textOf(later))).toEqual({ statement: later })
  })

  test('verifies without its content as with it', () => {
    const left = withoutContent(proposed)
    expect(left).not.toHaveProperty('content')
    expect(readStatement(textOf(left))).toEqual({ statement: left })
    expect(left.id).toBe(proposed.id)
  })

  test('has a bound on the whole, on its body and on its content', () => {
    const big = (size: number) => 'x'.repeat(size)
    const said = stripped(proposed)
    const content = { salt: 'AAAAAAAAAAAAAAAAAAAAAA', value: { big: big(320 * 1024) } }
    expect(refusal(textOf(backend.say({ ...said, content })))).toEqual({
      refused: 'content is longer than 327680 characters',
    })
    expect(refusal(textOf(backend.say({ ...said, body: { big: big(65_536) } })))).toEqual({
      refused: 'body is longer than 65536 characters',
    })
    expect(refusal(big(500_000))).toEqual({ refused: 'is longer than 409600 characters' })
  })

  test('is signed with Ed25519 over its id', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const signature = sign(null, Buffer.from(signedText(proposed.id)), privateKey)
    expect(signature.toString('base64url')).toMatch(/^[A-Za-z0-9_-]{86}$/)
    expect(verify(null, Buffer.from(signedText(proposed.id)), publicKey, signature)).toBe(true)
  })

  function stripped({ id, sig, ...said }: Statement) {
    return said
  }
})
