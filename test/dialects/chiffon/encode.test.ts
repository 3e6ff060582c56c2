import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createEncoder, statusOf } from '../../../src/dialects/chiffon/encode.ts'
import { endMessages } from '../../../src/dialects/chiffon/ends.ts'
import { threadOfRun, toRun } from '../../../src/dialects/chiffon/to-run.ts'
import { type Message, readEnvelope, wrap } from '../../../src/protocol/chiffon/envelope.ts'
import { readError, readWorkResult, readWorkStatus } from '../../../src/protocol/chiffon/payloads.ts'
import type { RunEventBody, RunnerEvent } from '../../../src/protocol/run/event.ts'
import { RUN_FAILURES, type RunFailureKind } from '../../../src/protocol/run/failure.ts'
import { TASK, workRequest } from '../../support/dialects/chiffon-client.ts'
import { completedRun, foldRun, numbered, text } from '../../support/dialects/run-events.ts'

const ABOUT = { task_id: TASK, agentId: 'aid://example.com/backend@1.0.0' }
const STARTED: RunEventBody = { type: 'started', attempt: 1, runner: 'command' }

const step = (
  number: number,
  name: string,
  progress: number | null,
  output = '',
  status: 'running' | 'step_completed' | 'paused' = 'step_completed',
): RunnerEvent => ({ type: 'step', number, name, output, progress, status })

/** As it goes over the wire, with ids and times that count up. */
function toldOf(bodies: readonly RunEventBody[]): object[] {
  const encode = createEncoder(ABOUT)
  const request = toRun(readEnvelope(workRequest({}, { x_custom_fields: { change: 'CHG-7' } })), undefined)
  let count = 0
  const inEnvelope = (message: Message) => {
    count++
    return wrap(message, {
      ...threadOfRun(request),
      message_id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
      timestamp: `2026-01-19T12:00:${String(count).padStart(2, '0')}.000000Z`,
    })
  }
  return numbered(bodies).flatMap((event) => encode(event).map(inEnvelope))
}

const transcript = (name: string): object[] =>
  readFileSync(new URL(`golden/${name}.ndjson`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a run in the words of the protocol', () => {
  test('is the deployment of the document, status by status [chiffon-status-1] [chiffon-status-3]', () => {
    const told = toldOf([
      STARTED,
      step(1, 'Check prerequisites', 20, 'Docker is there.\n'),
      step(2, 'Configure Kuma settings', 40, 'Updating config.yaml...\nAdded uptime monitors: 3\n'),
      step(3, 'Pull the image', 60),
      step(4, 'Start the service', 80, 'started\n'),
      step(5, 'Check its health', 100, '200 OK\n'),
      text('Deployment completed successfully.\nMonitored services: 5'),
      { type: 'completed', output: null, attempt: 1, duration_ms: 87_000, exit_code: 0, cpu_ms: 12_450 },
    ])
    expect(told).toEqual(transcript('deployment'))
  })

  test('is its failure, with a pause before [chiffon-status-2] [chiffon-result-1]', () => {
    const told = toldOf([
      STARTED,
      step(1, 'Pull the image', 10, '', 'running'),
      step(1, 'Pull the image', 5, 'waiting for the network', 'paused'),
      text('Deployment failed.'),
      {
        type: 'failed',
        kind: 'agent_failed',
        message: 'The agent ended with code 1',
        retryable: false,
        data: {},
        ...{ attempt: 1, duration_ms: 305_000, exit_code: 1, cpu_ms: 8920 },
      },
    ])
    expect(told).toEqual(transcript('failure'))
  })

  test('has only messages that the protocol’s own readers take', () => {
    for (const name of ['deployment', 'failure'])
      for (const message of transcript(name)) {
        const { type, payload } = readEnvelope(message)
        expect(type === 'work_result' ? readWorkResult(payload) : readWorkStatus(payload)).toMatchObject({
          task_id: TASK,
        })
      }
  })

  test('says that it is still there when the agent is silent', () => {
    const encode = createEncoder(ABOUT)
    const messages = numbered([
      STARTED,
      step(2, 'build', 30),
      { type: 'heartbeat', note: 'still at work' },
    ]).flatMap((event) => encode(event))
    expect(messages.at(-1)?.payload).toMatchObject({
      progress_percent: 30,
      step: { number: 2, name: 'build' },
    })
  })

  test('is its data where it has no text, and names its artifacts', () => {
    const events = completedRun(
      [{ type: 'artifact', artifact_id: 'a', name: 'A', mime_type: 'text/plain', text: 'x' }],
      'data',
    )
    const [result] = endMessages(foldRun(events), ABOUT)
    expect(result?.payload).toMatchObject({
      output: '"data"',
      artifacts: [{ artifact_id: 'a', name: 'A', mime_type: 'text/plain' }],
    })
  })

  test('tells how far it is as one status', () => {
    const result = foldRun(numbered([STARTED, step(1, 'a', 10), step(2, 'b', 40, 'log', 'running')]))
    expect(statusOf(TASK, result).payload).toEqual({
      task_id: TASK,
      status: 'running',
      progress_percent: 40,
      step: { number: 2, name: 'b', output: 'log' },
    })
  })
})

describe('the end of a run that failed', () => {
  const codes: Record<RunFailureKind, number | 'failed'> = {
    interrupted: 5002,
    timeout: 5001,
    memory_limit: 5005,
    output_limit: 'failed',
    storage: 5002,
    agent_failed: 'failed',
    bad_output: 'failed',
    invalid_params: 5003,
    not_found: 5003,
    internal: 5002,
  }

  test.each(Object.entries(codes))(
    'for %s is %s, one message that can be read [chiffon-error-1]',
    (kind, code) => {
      const { retryable } = RUN_FAILURES[kind as RunFailureKind]
      const events = numbered([
        STARTED,
        {
          type: 'failed',
          kind: kind as RunFailureKind,
          message: 'It did not work',
          retryable,
          data: { limit_name: 'memory_mb', available: 12.4, required: 99 },
          ...{ attempt: 1, duration_ms: 10, exit_code: null, cpu_ms: null },
        },
      ])
      const messages = endMessages(foldRun(events), ABOUT)
      expect(messages).toHaveLength(1)
      const payload = messages[0]?.payload ?? {}
      if (code === 'failed') expect(readWorkResult(payload)).toMatchObject({ status: 'failed', exit_code: 1 })
      else expect(readError(payload)).toMatchObject({ error_code: code, error_message: 'It did not work' })
      if (code === 5005)
        expect(payload['error_context']).toEqual({ limit_name: 'memory_mb', available: 12, required: 99 })
      if (code === 5002)
        expect(payload['error_context']).toEqual({ agent_id: ABOUT.agentId, last_heartbeat: events[1]?.at })
    },
  )
})
