import { expect, test } from 'vitest'
import { snippetOf } from '../../../src/domain/search/hit.ts'

const filler = (count: number) => 'lorem ipsum '.repeat(count)
const terms = (...words: string[]) => new Set(words)

test('a short text is shown whole, on one line', () => {
  expect(snippetOf('path\n/users', terms('users'), 60)).toBe('path /users')
})

test('a long text is shown around the word that was found, however it is written there', () => {
  const text = `${filler(20)}the Überweisung of paymentIntent is due ${filler(20)}`
  expect(snippetOf(text, terms('uberweisung'), 60)).toBe(
    '…ipsum lorem ipsum lorem ipsum the Überweisung of paymentIn…',
  )
  expect(snippetOf(text, terms('intent'), 60)).toContain('paymentIntent')
})

test('it begins where most of the words stand together', () => {
  const text = `login ${filler(20)} the login token expires ${filler(20)}`
  expect(snippetOf(text, terms('login', 'token', 'expires'), 80)).toContain('login token expires')
})

test('a text without the words is shown from its beginning', () => {
  expect(snippetOf(filler(20), terms('absent'), 20)).toBe('lorem ipsum lorem i…')
})

test('it is never longer than asked for, and never cuts a character', () => {
  const text = `${'😀'.repeat(100)}token${'😀'.repeat(200)}`
  for (let most = 60; most < 70; most++) {
    const snippet = snippetOf(text, terms('token'), most)
    expect(snippet).toContain('token')
    expect(snippet.length).toBeLessThanOrEqual(most)
    expect(snippet.isWellFormed()).toBe(true)
  }
})
