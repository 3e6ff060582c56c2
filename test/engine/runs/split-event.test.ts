import { expect, test } from 'vitest'
import { RunError } from '../../../src/engine/ports/run-ports.ts'
import { splitEvent } from '../../../src/engine/runs/attempt.ts'
import { RUN_BOUNDS } from '../../../src/engine/runs/rules.ts'

test('a delta is told in pieces within the bound', () => {
  const delta = 'é'.repeat(RUN_BOUNDS.deltaLength + 1)
  expect(
    splitEvent({ type: 'text', delta }).map((one) => (one.type === 'text' ? one.delta.length : 0)),
  ).toEqual([RUN_BOUNDS.deltaLength, 1])
})

test('half of a character does not travel', () => {
  expect(splitEvent({ type: 'text', delta: 'a\ud83d' })).toEqual([{ type: 'text', delta: 'a\ufffd' }])
})

test('any other event past its bound is an error of the agent', () => {
  const text = 'x'.repeat(RUN_BOUNDS.eventLength)
  const artifact = { type: 'artifact', artifact_id: 'a', name: 'n', mime_type: 'text/plain', text } as const
  expect(() => splitEvent(artifact)).toThrow(RunError)
})
