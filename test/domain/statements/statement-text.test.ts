import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idOf, textOf, withoutContent } from '../../../src/domain/statements/statement.ts'
import { statementTextOf, textOfStatement, withText } from '../../../src/domain/statements/statement-text.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'

const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.uuid())
const json = fc
  .dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)

const said = fc.record(
  {
    project_id: text,
    kind: text,
    about: text,
    under: text,
    at: fc.constant('2025-01-01T00:00:00.000000Z' as Stamp),
    body: json,
    content: fc.record({ salt: text, value: json }),
    key: text,
  },
  { requiredKeys: ['project_id', 'kind', 'about', 'at', 'body', 'key'] },
)
const SIG = 'A'.repeat(86)

test('what is said has the id and the text that everybody else gives it', () => {
  fc.assert(
    fc.property(said, (one) => {
      const unsigned = withText(one, textOfStatement(one))
      const { before, after } = statementTextOf(unsigned)
      expect(unsigned.id).toBe(idOf(one))
      expect(before + SIG + after).toBe(textOf({ ...unsigned, sig: SIG }))
    }),
    { numRuns: 1000 },
  )
})

test('what lost its content and is said again is written with the hash of it', () => {
  fc.assert(
    fc.property(said, (one) => {
      const { id: _, ...bare } = withoutContent({ ...one, id: '', sig: SIG })
      const unsigned = { ...bare, id: idOf(bare) }
      const { before, after } = statementTextOf(unsigned)
      expect(before + SIG + after).toBe(textOf({ ...unsigned, sig: SIG }))
    }),
  )
})

test('a copy of what is said is written as the copy is', () => {
  fc.assert(
    fc.property(said, json, (one, body) => {
      const copy = { ...withText(one, textOfStatement(one)), body }
      const { before, after } = statementTextOf(copy)
      expect(before + SIG + after).toBe(textOf({ ...copy, sig: SIG }))
    }),
  )
})
