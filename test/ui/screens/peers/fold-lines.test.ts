import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AuditLine, foldLines } from '../../../../src/ui/screens/peers/fold-lines.ts'

const line = (at: number, what: string, times?: number): AuditLine => ({
  at: `2026-11-16T09:${String(at).padStart(2, '0')}:00.000000Z`,
  outcome: 'refused',
  caller: 'anonymous',
  what,
  ...(times === undefined ? {} : { times }),
})

test('lines of the log that tell the same are one, with how often and since when', () => {
  expect(foldLines([line(9, 'a'), line(8, 'a', 3), line(7, 'b'), line(6, 'a')])).toEqual([
    { line: line(9, 'a'), times: 4, since: line(8, 'a').at },
    { line: line(7, 'b'), times: 1, since: line(7, 'b').at },
    { line: line(6, 'a'), times: 1, since: line(6, 'a').at },
  ])
})

test('no line of the log is lost by folding, and what differs stays apart', () => {
  const logs = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 50 })
  fc.assert(
    fc.property(logs, (log) => {
      const folded = foldLines(log.map((what, index) => line(59 - index, what)))
      expect(
        folded.flatMap(({ line: { what }, times }) => Array.from({ length: times }, () => what)),
      ).toEqual(log)
      for (const [
        index,
        {
          line: { what },
        },
      ] of folded.entries())
        if (index > 0) expect(what).not.toBe(folded[index - 1]?.line.what)
    }),
  )
})
