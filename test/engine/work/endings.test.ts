import { expect, test } from 'vitest'
import { endingOf, errorEnding } from '../../../src/engine/work/endings.ts'
import { Assembly } from '../../../src/protocol/chiffon/assembly.ts'

const MUCH = { log: 'x'.repeat(1024 * 1024) }

test('what an agent says about an error or a result is kept only where it is short', () => {
  const error = { error_code: 5003, error_message: 'no', error_context: MUCH }
  expect(errorEnding(error).error).toMatchObject({ code: 5003, message: 'no', context: {} })
  const result = { task_id: 't', status: 'success', exit_code: 0, output: 'done' } as const
  const { outcome } = endingOf({ ...result, resources_used: MUCH }, new Assembly())
  expect(outcome).toMatchObject({ output: 'done', resources_used: {} })
  const little = { duration_seconds: 1 }
  expect(endingOf({ ...result, resources_used: little }, new Assembly()).outcome?.resources_used).toBe(little)
})
