import { describe, expect, test } from 'vitest'
import { createBootIds } from '../../../../src/engine/replicate/peer/boot-ids.ts'
import { stampOfMillis } from '../../../../src/protocol/stamp.ts'

const AGENT = 'aid://example.com/backend@1.0.0'

function watched() {
  let millis = 0
  const bootIds = createBootIds({ now: () => stampOfMillis(millis), millis: 1000 })
  return {
    runsTwice: () => bootIds.runsTwice(AGENT),
    see: (...seen: string[]) => {
      for (const bootId of seen) bootIds.see(AGENT, bootId)
    },
    pass: (more: number) => {
      millis += more
    },
  }
}

describe('a daemon runs twice', () => {
  test('when a bootId is seen again after a later one', () => {
    const { see, runsTwice } = watched()
    see('first', 'first', 'second')
    expect(runsTwice()).toBe(false)
    see('first')
    expect(runsTwice()).toBe(true)
  })

  test('not when it is started anew, however often, nor when it takes a new key', () => {
    const { see, runsTwice } = watched()
    for (let n = 0; n < 100; n++) see(`bootId-${n}`, `bootId-${n}`)
    see('last.key-1', 'last.key-2', 'last.key-1')
    expect(runsTwice()).toBe(false)
  })

  test('no more when one of the two was not seen for a while', () => {
    const { see, runsTwice, pass } = watched()
    see('first', 'second', 'first')
    pass(900)
    see('second')
    expect(runsTwice()).toBe(true)
    pass(900)
    see('second')
    expect(runsTwice()).toBe(false)
  })
})
