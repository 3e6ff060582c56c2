import { expect, test } from 'vitest'
import { Capabilities } from '../../../src/protocol/agent/capability.ts'
import { ECHO_BOUNDS } from '../../../src/protocol/run/echo.ts'
import { requestWith } from '../../support/dialects/run-events.ts'
import { eventsOf, OPERATOR, openTestRuns } from '../../support/runs/test-runs.ts'

async function echoed(parameters: { text: string; repeat: number; delay_ms?: number }) {
  await using opened = await openTestRuns()
  const request = requestWith({ request_id: 'r1', work_type: 'echo', parameters })
  const { run } = await opened.runs.start(request, OPERATOR)
  await eventsOf(opened.runs, run)
  return opened.runs.result(run.run_id, OPERATOR)
}

test('echo says all of what it is asked for, up to its bound', async () => {
  const text = 'x'.repeat(ECHO_BOUNDS.length / 64)
  const { status, text: said } = await echoed({ text, repeat: 64 })
  expect({ status, length: said.length }).toEqual({ status: 'completed', length: ECHO_BOUNDS.length })
})

test.each([
  ['more characters in all', { text: 'x'.repeat(ECHO_BOUNDS.length / 64), repeat: 65 }, 'repeat'],
  ['it more often', { text: '', repeat: ECHO_BOUNDS.repeat + 1 }, 'repeat'],
  ['longer pauses', { text: '', repeat: 1, delay_ms: ECHO_BOUNDS.delayMillis + 1 }, 'delay_ms'],
])('echo refuses %s, and says nothing of it', async (_what, parameters, field) => {
  expect(await echoed(parameters)).toMatchObject({
    status: 'failed',
    text: '',
    failure: { kind: 'invalid_params', data: { field: `parameters.${field}` } },
  })
})

test('the schema of echo says its bounds', () => {
  const echo = Capabilities.parse(undefined).find(({ name }) => name === 'echo')
  expect(echo?.inputs['properties']).toMatchObject({
    repeat: { maximum: ECHO_BOUNDS.repeat, description: expect.stringContaining(`${ECHO_BOUNDS.length}`) },
    delay_ms: { maximum: ECHO_BOUNDS.delayMillis },
  })
})
