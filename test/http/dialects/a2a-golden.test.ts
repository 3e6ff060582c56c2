import { describe, expect, test } from 'vitest'
import { callA2a } from '../../../src/http/dialects/a2a/tasks.ts'
import type { Runs } from '../../../src/methods/runs/service.ts'
import { isEnd, type RunEvent } from '../../../src/protocol/run/event.ts'
import type { Run } from '../../../src/protocol/run/run.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'
import { completedRun, failedRun, foldRun, text } from '../../support/dialects/run-events.ts'
import { OPERATOR } from '../../support/runs/test-runs.ts'

const HELPFUL: RunEvent[] = completedRun([
  { type: 'step', number: 1, name: 'Looking for contracts', output: '', progress: 50, status: 'running' },
  text('Create order is '),
  text('agreed.\n'),
  { type: 'citation', uri: 'cacp:contract/c1', text: 'Create order', title: 'Create order' },
  {
    type: 'artifact',
    artifact_id: 'c1',
    name: 'Create order',
    mime_type: 'application/json',
    data: { method: 'POST', path: '/orders' },
  },
  { type: 'usage', usage: { output_tokens: 7 } },
])

/** Runs that tell these events to whatever is asked. */
function telling(events: readonly RunEvent[]): Runs {
  let run: Run | undefined
  const started = (): Run => {
    if (run === undefined) throw new Error('nothing was asked')
    return run
  }
  const told: Partial<Runs> = {
    start: async (request) => {
      const end = events.find(isEnd)
      run = {
        run_id: '01a1e32f-b0a9-706b-8c2d-682c1de1e4d5',
        request,
        asked_by: { kind: 'operator', agent_id: OPERATOR.agentId, repo_name: OPERATOR.repoName },
        status: end?.type ?? 'in_progress',
        attempt: 1,
        runner: 'librarian',
        created_at: stampOfMillis(Date.UTC(2026, 0, 19, 12)),
        ended_at: end?.at ?? null,
        last_sequence: events.length,
        failure: end?.type === 'failed' ? end : null,
      }
      return { run, isNew: true }
    },
    get: started,
    result: async () => foldRun(events),
    async *follow() {
      for (const event of events) yield [event]
    },
  }
  return told as Runs
}

/** What a call says, one result a line. */
async function transcript(
  version: '0.3' | '1.0',
  method: string,
  events: readonly RunEvent[],
): Promise<string> {
  const said =
    version === '0.3'
      ? { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'How is Create order?' }] }
      : { role: 'ROLE_USER', parts: [{ text: 'How is Create order?' }] }
  const params = { message: { messageId: 'message-1', contextId: 'context-1', ...said } }
  const answer = await callA2a(method, params, {
    runs: telling(events),
    caller: OPERATOR,
    version,
    card: { capabilities: { streaming: true } },
    gone: new AbortController().signal,
  })
  const results: unknown[] = []
  if ('result' in answer) results.push(answer.result)
  else for await (const result of answer) results.push(result)
  return results.map((result) => `${JSON.stringify(result)}\n`).join('')
}

describe('what A2A says, word for word', () => {
  test.each([
    ['0.3', 'message/stream', 'completed', HELPFUL],
    ['1.0', 'SendStreamingMessage', 'completed', HELPFUL],
    ['0.3', 'message/stream', 'failed', failedRun([text('Create')])],
    ['1.0', 'SendStreamingMessage', 'failed', failedRun([text('Create')])],
    ['0.3', 'message/send', 'answer', HELPFUL],
    ['1.0', 'SendMessage', 'answer', HELPFUL],
  ] as const)('%s: %s, %s', async (version, method, name, events) => {
    const said = await transcript(version, method, events)
    await expect(said).toMatchFileSnapshot(`golden/a2a-${version}-${name}.jsonl`)
  })
})
