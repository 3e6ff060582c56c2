import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChangeLog } from '../../src/engine/change-log.ts'
import type { SequencedChange } from '../../src/engine/ports.ts'

const change = (id: number, seq: number) =>
  ({ kind: 'packet', project_id: 'p', id: `e${id}`, value: {}, seq }) as unknown as SequencedChange

test('what is counted after a seq is what is listed after it, whatever changed how often', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(30), { maxLength: 20 }),
      fc.array(fc.array(fc.nat(30), { maxLength: 8 }), { maxLength: 30 }),
      (initial, commits) => {
        let seq = 0
        const log = new ChangeLog(initial.map((id) => change(id, ++seq)))
        for (const commit of commits) log.record(commit.map((id) => change(id, ++seq)))
        for (let after = 0; after <= seq + 1; after++)
          expect(log.countAfter(after)).toBe([...log.after(after)].length)
      },
    ),
  )
})

test('the count stays right when what was overtaken is tidied away', () => {
  const log = new ChangeLog([])
  for (let seq = 1; seq <= 5000; seq++) log.record([change((seq * 7) % 90, seq)])
  expect(log.countAfter(0)).toBe(90)
  expect(log.countAfter(4990)).toBe(10)
  expect(log.countAfter(5000)).toBe(0)
})
