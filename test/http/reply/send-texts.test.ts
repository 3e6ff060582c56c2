import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { writeTexts } from '../../../src/http/reply/send.ts'

/** One that takes what it is given, and has room again only when it is told. */
class SlowResponse extends EventEmitter {
  readonly written: string[] = []
  readonly req = { socket: null }
  readonly destroyed = false
  readonly writableLength = 1
  writableNeedDrain = false

  write(text: string): boolean {
    this.written.push(text)
    this.writableNeedDrain = true
    return false
  }

  takeAll(): void {
    this.writableNeedDrain = false
    this.emit('drain')
  }
}

test('a reader that falls behind again and again leaves nothing behind that listens', async () => {
  const response = new SlowResponse()
  for (let time = 0; time < 20; time++) {
    const out = writeTexts(response as unknown as ServerResponse, ['a', 'b'])
    response.takeAll()
    await out
  }
  expect(response.written).toEqual(Array(20).fill('ab'))
  expect(response.eventNames()).toEqual([])
})

test('a long text is handed over slice by slice, whole, with no character cut in two', async () => {
  const response = new SlowResponse()
  const text = `a${'\u{1f98a}'.repeat(100_000)}`
  const out = writeTexts(response as unknown as ServerResponse, ['[', text, ']'])
  while (response.writableNeedDrain) {
    response.takeAll()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await out
  expect(response.written.join('')).toBe(`[${text}]`)
  expect(response.written.length).toBeGreaterThan(3)
  for (const slice of response.written) expect(slice.isWellFormed()).toBe(true)
})
