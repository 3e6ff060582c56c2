import { describe, expect, test } from 'vitest'
import { isHeavyJson } from '../../../src/protocol/json/heavy-json.ts'

const MOST = { values: 200_000, depth: 100 }
const MIB = 1024 * 1024

describe('a text of JSON is heavy', () => {
  test.each([
    ['empty lists', `[${'[],'.repeat(200_000)}[]]`],
    ['empty objects', `[${'{},'.repeat(200_000)}{}]`],
    ['numbers', `[${'0,'.repeat(200_000)}0]`],
    ['lists in lists', '['.repeat(MIB)],
    ['objects in objects', '{"":'.repeat(MIB)],
    ['values behind strings of quotes and backslashes', `[${String.raw`"\"\\",`.repeat(200_000)}0]`],
  ])('where it has too many %s', (_what, text) => {
    expect(isHeavyJson(text, MOST)).toBe(true)
  })
})

describe('a text of JSON is not heavy', () => {
  test.each([
    ['a long string', JSON.stringify(`${'[],{},"\\'.repeat(200_000)}`)],
    ['many short lists one after another', JSON.stringify(Array(60_000).fill(['contract', 'id']))],
    ['a string that does not end', `"${'\\'.repeat(MIB)}`],
    ['nothing but spaces', ' '.repeat(MIB)],
    ['few bytes', '['.repeat(1000)],
  ])('with %s', (_what, text) => {
    expect(isHeavyJson(text, MOST)).toBe(false)
  })
})
