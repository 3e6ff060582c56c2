import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSseParser } from '../../../src/protocol/sse/parser.ts'
import { eventData } from '../../support/dialects/chiffon-client.ts'

const STREAM = [
  'data: {"a":1}\n\n',
  ': still here\n\n',
  'event: x\r\nid: 7\r\ndata: two\r\ndata:  lines\r\n\r\n',
  'data\n\n',
  'data: by returns\rdata: alone\r\r',
  'data: never ended',
].join('')
const EVENTS = ['{"a":1}', 'two\n lines', '', 'by returns\nalone']

describe('the parser of event streams', () => {
  test('finds every event that is complete', () => {
    expect(createSseParser(1000).feed(STREAM)).toEqual(EVENTS)
  })

  test('finds the same however the text is cut', () => {
    const cuts = fc.array(fc.nat(STREAM.length), { maxLength: 20 })
    fc.assert(
      fc.property(cuts, (places) => {
        const parser = createSseParser(1000)
        const sorted = [0, ...places.sort((a, b) => a - b), STREAM.length]
        const pieces = sorted.slice(1).map((end, index) => STREAM.slice(sorted[index], end))
        expect(pieces.flatMap((piece) => parser.feed(piece))).toEqual(EVENTS)
      }),
    )
  })

  test('agrees with a strict reader', () => {
    expect(createSseParser(1000).feed(STREAM)).toEqual(eventData(STREAM))
  })

  test('finds an event that ends with carriage returns without waiting for more text', () => {
    expect(createSseParser(1000).feed('data: at once\r\r')).toEqual(['at once'])
  })

  test('gives up on an event that does not end', () => {
    const parser = createSseParser(100)
    expect(() => {
      for (let n = 0; n < 20; n++) parser.feed('data: 0123456789\n')
    }).toThrow(RangeError)
  })

  test('gives up on a line that does not end', () => {
    const parser = createSseParser(100)
    expect(() => {
      for (let n = 0; n < 20; n++) parser.feed('0123456789')
    }).toThrow(RangeError)
  })

  test('gives up on an event that is too long, however it is cut, and on none before it', () => {
    const cuts = fc.array(fc.nat(220), { maxLength: 20 })
    fc.assert(
      fc.property(cuts, (places) => {
        const text = `data: ${'a'.repeat(90)}\n\ndata: ${'b'.repeat(101)}\n\n`
        const sorted = [0, ...places.sort((a, b) => a - b), text.length]
        const parser = createSseParser(100)
        const found: string[] = []
        expect(() => {
          for (const [index, end] of sorted.slice(1).entries())
            found.push(...parser.feed(text.slice(sorted[index], end)))
        }).toThrow(RangeError)
        expect(found.every((event) => event === 'a'.repeat(90))).toBe(true)
      }),
    )
  })
})
