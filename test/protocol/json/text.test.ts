import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonText, memoized } from '../../../src/protocol/json/text.ts'

describe('the text of an answer', () => {
  test('is what JSON.stringify makes of it, whether parts of it are kept or not', () => {
    const shown = memoized((value: { inner: unknown }) => ({ shown: value.inner }))
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const kept = shown({ inner: a })
        const answer = {
          jsonrpc: '2.0',
          id: 1,
          result: { kept, list: [kept, kept], plain: b, none: undefined },
        }
        expect(jsonText(answer)).toBe(JSON.stringify(answer))
        expect(jsonText([answer, b])).toBe(JSON.stringify([answer, b]))
        expect(jsonText(b)).toBe(JSON.stringify(b))
      }),
      { numRuns: 1000 },
    )
  })

  test('what is shown of a value is made once, and nobody can change it', () => {
    let made = 0
    const shown = memoized((value: { n: number }) => ({ n: value.n, times: ++made }))
    const value = { n: 1 }
    expect(shown(value)).toBe(shown(value))
    expect(made).toBe(1)
    expect(Object.isFrozen(shown(value))).toBe(true)
  })

  test('what was not used for long is made again, so that the memory stays bounded', () => {
    let made = 0
    const shown = memoized((value: { text: string }) => {
      made += 1
      return { text: value.text }
    })
    const first = { text: 'first' }
    shown(first)
    for (let n = 0; n < 20; n++) shown({ text: 'x'.repeat(1024 * 1024) })
    shown(first)
    expect(made).toBe(22)
  })

  test('a value that nobody else holds any more is not held by what is shown of it', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const shown = memoized((value: { n: number }) => ({ n: value.n }))
    const show = () => {
      const value = { n: 1 }
      shown(value)
      return new WeakRef(value)
    }
    const outdated = show()
    // What a WeakRef points to stays until the turn ends in which it was made.
    await new Promise(setImmediate)
    collect()
    expect(outdated.deref()).toBeUndefined()
  })
})
