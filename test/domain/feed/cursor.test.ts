import { describe, expect, test } from 'vitest'
import { cursorText, readCursor } from '../../../src/domain/feed/cursor.ts'
import { Fault } from '../../../src/protocol/fault.ts'

const STORE = '0197a000-0000-7000-8000-000000000001'
const HERE = { storeId: STORE, seq: 42 }

function refusalOf(text: string): Fault {
  try {
    readCursor(text, HERE)
  } catch (error) {
    if (error instanceof Fault) return error
  }
  throw new Error(`${text} was taken`)
}

describe('a cursor', () => {
  test.each([0, 1, 41, 42])('says up to which change its holder has read: %i', (seq) => {
    expect(readCursor(cursorText({ storeId: STORE, seq }), HERE)).toBe(seq)
  })

  test.each([
    '',
    '42',
    STORE,
    `${STORE}.`,
    `${STORE}.-1`,
    `${STORE}.1.5`,
    `${STORE}.042`,
    `${STORE}.9999999999999999`,
    `${STORE} .1`,
    `${STORE}.1\n`,
    '.1',
    `${'x'.repeat(101)}.1`,
  ])('that makes no sense is refused with one that does: %j', (text) => {
    const fault = refusalOf(text)
    expect(fault.kind).toBe('invalid_params')
    expect(fault.message).toBe('Invalid params: since: is no cursor')
    expect(readCursor(String(fault.data['example']), HERE)).toBe(42)
    expect(fault.next).toContain(String(fault.data['example']))
  })

  test.each([
    ['another store', 'other.1', /another store/],
    ['a state that this store was put back from', `${STORE}.43`, /ahead of this store/],
  ])('of %s is told as such, with one to go on from', (_of, text, said) => {
    const fault = refusalOf(text)
    expect(fault.kind).toBe('stale_cursor')
    expect(fault.message).toMatch(said)
    expect(fault.next).toContain(`go on from ${fault.data['cursor']}`)
    expect(readCursor(String(fault.data['cursor']), HERE)).toBe(42)
  })

  test('is refused by the name of the field that it came in', () => {
    expect(() => readCursor('x', HERE, 'Last-Event-ID')).toThrow(
      'Invalid params: Last-Event-ID: is no cursor',
    )
  })
})
