import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Assembly } from '../../../src/protocol/chiffon/assembly.ts'
import {
  CHUNK_BOUNDS,
  chunksOf,
  parseRange,
  rangeText,
  tailOf,
} from '../../../src/protocol/chiffon/chunks.ts'

const KIB = 1024
const MIB = KIB * KIB
const bytesOf = (text: string) => Buffer.byteLength(text)

function assembled(chunks: readonly { range: string; text: string }[]): Assembly {
  const assembly = new Assembly()
  for (const { range, text } of chunks) assembly.add(range, text)
  return assembly
}
const sent = (output: string) =>
  (chunksOf(output) ?? []).map((chunk) => ({ range: rangeText(chunk), text: chunk.text }))

describe('an output', () => {
  test('of exactly 1 MiB is whole, one byte more is cut [chiffon-chunk-1]', () => {
    expect(chunksOf('a'.repeat(MIB))).toBeUndefined()
    const chunks = sent('a'.repeat(MIB + 1))
    expect(chunks.map(({ range }) => range)).toEqual([
      'bytes 0-262144 of 1048577',
      'bytes 262144-524288 of 1048577',
      'bytes 524288-786432 of 1048577',
      'bytes 786432-1048576 of 1048577',
      'bytes 1048576-1048577 of 1048577',
    ])
  })

  test('is cut between characters, and each range is of true bytes', () => {
    const output = `a${'😀é€'.repeat(120_000)}`
    let end = 0
    for (const chunk of chunksOf(output) ?? []) {
      expect(chunk.start).toBe(end)
      expect(bytesOf(chunk.text)).toBe(chunk.end - chunk.start)
      expect(bytesOf(chunk.text)).toBeLessThanOrEqual(256 * KIB)
      expect(chunk.text.isWellFormed()).toBe(true)
      end = chunk.end
    }
    expect(end).toBe(bytesOf(output))
  })

  test('of control characters is cut by what it takes as JSON', () => {
    const output = '\u0001'.repeat(600 * KIB)
    const chunks = chunksOf(output) ?? []
    expect(chunks.length).toBeGreaterThan(3)
    for (const { text } of chunks)
      expect(bytesOf(JSON.stringify(text))).toBeLessThanOrEqual(CHUNK_BOUNDS.chunkJsonBytes + 2)
    expect(assembled(sent(output)).text()).toBe(output)
  })

  test('has a tail that is at most one chunk, and begins with a character', () => {
    const output = '😀'.repeat(300 * KIB)
    const tail = tailOf(output)
    expect(output.endsWith(tail.text)).toBe(true)
    expect(tail.text.isWellFormed()).toBe(true)
    expect(bytesOf(tail.text)).toBe(256 * KIB)
    expect(tail).toMatchObject({ start: 1200 * KIB - 256 * KIB, end: 1200 * KIB, total: 1200 * KIB })
    expect(tailOf('short').text).toBe('short')
  })

  test('is the same whatever order its chunks come in, and however often [chiffon-chunk-2]', () => {
    const output = Array.from({ length: 300_000 }, (_, index) => `${index} 😀\n`).join('')
    const chunks = sent(output)
    fc.assert(
      fc.property(
        fc.shuffledSubarray(chunks, { minLength: chunks.length }),
        fc.subarray(chunks),
        (shuffled, again) => {
          const assembly = assembled([...again, ...shuffled, ...again])
          expect(assembly.missing()).toEqual([])
          expect(assembly.text() === output).toBe(true)
        },
      ),
      { numRuns: 10 },
    )
  })
})

describe('chunks', () => {
  const output = 'x'.repeat(MIB) + 'y'.repeat(MIB)

  test('that did not come are named by their bytes', () => {
    const assembly = assembled(sent(output).filter((_, index) => index !== 1 && index !== 7))
    expect(assembly.text()).toBeUndefined()
    expect(assembly.missing()).toEqual([
      { start: 256 * KIB, end: 512 * KIB },
      { start: 7 * 256 * KIB, end: 2 * MIB },
    ])
  })

  test('may overlap with the tail, which fills what is missing', () => {
    const assembly = assembled(sent(output).slice(0, -1))
    const tail = tailOf(output)
    assembly.add(rangeText(tail), tail.text)
    expect(assembly.text()).toBe(output)
  })

  test('that come twice, or overlap and say the same, are one output', () => {
    const assembly = new Assembly()
    assembly.add('bytes 4-10 of 10', 'oworld')
    assembly.add('bytes 0-5 of 10', 'hello')
    assembly.add('bytes 0-5 of 10', 'hello')
    expect(assembly.problem).toBeUndefined()
    expect(assembly.text()).toBe('helloworld')
  })

  test.each([
    ['is longer than it says', 'bytes 5-10 of 10', 'toolong', /came with 7 bytes/],
    ['has another total', 'bytes 5-10 of 20', 'world', /after chunks of an output of 10 bytes/],
    ['says something else', 'bytes 4-10 of 10', '?world', /says other things/],
    ['names no bytes', 'bytes 0-256k', 'world', /is no range/],
  ])('of which one %s are no output, and the problem is told', (_what, range, text, problem) => {
    const assembly = assembled([
      { range: 'bytes 0-5 of 10', text: 'hello' },
      { range, text },
      { range: 'bytes 5-10 of 10', text: 'world' },
    ])
    expect(assembly.problem).toMatch(problem)
    expect(assembly.text()).toBeUndefined()
  })

  test('of an output larger than anybody takes are refused', () => {
    expect(() => new Assembly().add('bytes 0-5 of 33554433', 'hello')).toThrow(/at most 33554432/)
  })

  test.each(['bytes 5-5 of 9', 'bytes 6-5 of 9', 'bytes 0-10 of 9', 'bytes 0-5', '', 'bytes -1-5 of 9'])(
    '%j is no range',
    (text) => expect(parseRange(text)).toBeUndefined(),
  )
})
