import { describe, expect, test } from 'vitest'
import {
  completedRun,
  failedRun,
  foldRun,
  numbered,
  ODD_TEXT,
  text,
} from '../../support/dialects/run-events.ts'

describe('the sum of a run', () => {
  test('has all text in a row, whatever is in it', () => {
    const result = foldRun(completedRun([text(ODD_TEXT), text(''), text('end')]))
    expect(result).toMatchObject({
      status: 'completed',
      text: `${ODD_TEXT}end`,
      progress: 100,
      failure: null,
    })
  })

  test('keeps what was told before a failure', () => {
    expect(foldRun(failedRun([text('half')]))).toMatchObject({
      status: 'failed',
      text: 'half',
      exit_code: 3,
      failure: { kind: 'agent_failed', retryable: false },
    })
  })

  test('collects steps, calls, sources and usage, and progress never falls', () => {
    const step = { type: 'step', name: 'a', output: '', status: 'running' } as const
    const result = foldRun(
      numbered([
        { type: 'started', attempt: 1, runner: 'command' },
        { ...step, number: 1, progress: 60 },
        { ...step, number: 2, progress: 40 },
        { type: 'tool_call', call_id: 'c', name: 'grep', arguments: '{}' },
        { type: 'tool_output', call_id: 'c', output: 'found' },
        { type: 'citation', uri: 'cacp:contract/1', text: 'quote' },
        { type: 'artifact', artifact_id: 'a', name: 'n', mime_type: 'text/plain', text: 't' },
        { type: 'content', part: { type: 'image', image_url: 'https://example.com/a.png' } },
        { type: 'usage', usage: { input_tokens: 1, output_tokens: 1 } },
        { type: 'usage', usage: { output_tokens: 5 } },
        { type: 'heartbeat', note: '' },
      ]),
    )
    expect(result).toMatchObject({
      status: 'in_progress',
      progress: 60,
      steps: [{ number: 1 }, { number: 2 }],
      tool_calls: [{ call_id: 'c', name: 'grep' }],
      tool_outputs: [{ output: 'found' }],
      citations: [{ uri: 'cacp:contract/1' }],
      artifacts: [{ artifact_id: 'a' }],
      content: [{ type: 'image' }],
      usage: { input_tokens: 1, output_tokens: 5 },
      last_sequence: 11,
    })
  })

  test('a second attempt starts from nothing', () => {
    const events = [
      ...failedRun([text('first')]),
      ...numbered([{ type: 'started', attempt: 2, runner: 'command' }, text('second')], 4),
    ]
    expect(foldRun(events)).toMatchObject({
      attempt: 2,
      text: 'second',
      status: 'in_progress',
      failure: null,
    })
  })

  test('takes the same time for each of many steps', () => {
    const step = { type: 'step', number: 1, name: 'x', output: '', progress: 1, status: 'running' } as const
    const begun = performance.now()
    expect(foldRun(completedRun(new Array(100_000).fill(step))).steps).toHaveLength(100_000)
    // Copying the list at each of them takes minutes.
    expect(performance.now() - begun).toBeLessThan(5000)
  })
})
