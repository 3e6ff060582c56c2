import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type FakeAgentOptions, refusal, status, success } from '../../support/network/fake-agent.ts'
import { workPlace } from '../../support/runs/work-place.ts'

const { between, bring, done, ended, rpc, send } = workPlace()

const acknowledging: FakeAgentOptions['serve'] = ({ message, answer, json }) =>
  json(202, answer('work_status', status(message.payload.task_id, 10)))

/** Work that the agent has acknowledged. */
async function acknowledged() {
  const work = await send()
  const progress = async () => (await rpc('cacp/work/get', { workId: work.workId })).work.progress
  await expect.poll(progress).toBe(10)
  return work
}

describe('work that the agent only acknowledges', () => {
  test('is sent once, and ends with what the agent brings by itself', async () => {
    const { messages } = await between(acknowledging)
    const work = await acknowledged()
    expect((await bring(work, 'work_status', status(work.workId, 20))).status).toBe(204)
    expect((await bring(work, 'work_result', success(work.workId, 'brought'))).status).toBe(204)
    expect(await ended(work.workId)).toMatchObject({
      work: { status: 'completed', sends: 1 },
      result: { output: 'brought' },
    })
    expect(messages).toHaveLength(1)
  })

  test('does not count what others bring, nor what comes after the end', async () => {
    await between(acknowledging)
    const work = await acknowledged()
    const forged = success(work.workId, 'forged')
    expect((await bring(work, 'work_result', forged, 'aid://example.com/other@1.0.0')).status).toBe(204)
    await bring(work, 'work_result', success(work.workId, 'brought'))
    expect((await ended(work.workId)).result.output).toBe('brought')
    await bring(work, 'work_result', { ...success(work.workId, 'late'), status: 'failed', exit_code: 1 })
    expect((await ended(work.workId)).result.output).toBe('brought')
  })

  test('goes on when a result for another task is brought, which is refused', async () => {
    await between(acknowledging)
    const work = await acknowledged()
    const { status: http, json } = await bring(work, 'work_result', success(randomUUID(), 'other'))
    expect({ http, code: json.payload.error_code }).toEqual({ http: 400, code: 5003 })
    expect(json.payload.error_context.field_name).toBe('payload.task_id')
    await bring(work, 'work_result', success(work.workId, 'the right one'))
    expect((await ended(work.workId)).result.output).toBe('the right one')
  })

  test('is sent again when the agent brings an error that may pass', async () => {
    const { messages } = await between((visit) => {
      if (visit.visit === 0) acknowledging(visit)
      else
        visit.json(200, visit.answer('work_result', success(visit.message.payload.task_id, 'second attempt')))
    })
    const work = await acknowledged()
    await bring(work, 'error', refusal(5005))
    const { work: shown, result } = await ended(work.workId)
    expect({ sends: shown.sends, output: result.output }).toEqual({ sends: 2, output: 'second attempt' })
    expect(messages).toHaveLength(2)
  })

  test('is sent again after a long silence, and every message is counted as sent', async () => {
    const { messages } = await between(
      (visit) => {
        if (visit.visit === 0) acknowledging(visit)
        else visit.json(200, visit.answer('work_result', success(visit.message.payload.task_id, 'later')))
      },
      { flags: { workSilenceSeconds: 1 } },
    )
    const { work, result } = await done()
    expect({ status: work.status, output: result.output }).toEqual({ status: 'completed', output: 'later' })
    expect(work.sends).toBe(messages.length)
    expect(messages).toHaveLength(2)
    expect(new Set(messages.map(({ message }) => message.request_id)).size).toBe(1)
  })

  test('and never hears of again has failed with 5001', async () => {
    const { messages } = await between(acknowledging, {
      flags: { workSilenceSeconds: 1, peerRetrySeconds: [0, 0] },
    })
    expect((await done()).work).toMatchObject({ status: 'failed', sends: 2, error: { code: 5001 } })
    expect(messages).toHaveLength(2)
  })
})

describe('an answer that is about something else', () => {
  test.each([
    ['another request', (sent: object) => ({ ...sent, request_id: randomUUID() }), 'request_id'],
    ['another task', (sent: object) => ({ ...sent, payload: status(randomUUID(), 10) }), 'payload.task_id'],
    ['nothing but the request itself', (sent: object) => ({ ...sent, type: 'work_request' }), 'type'],
  ])('such as %s acknowledges nothing: the work has failed', async (_what, changed, field) => {
    for (const isStream of [false, true]) {
      const { messages } = await between(({ message, answer, json, stream, response }) => {
        const sent = changed(answer('work_status', status(message.payload.task_id, 10)))
        if (!isStream) return json(202, sent)
        stream(sent)
        response.end()
      })
      expect((await done()).work).toMatchObject({
        status: 'failed',
        sends: 1,
        error: { code: 5003, message: expect.stringContaining(field), context: { field_name: field } },
      })
      expect(messages).toHaveLength(1)
    }
  })

  test('such as a mere sign of life acknowledges nothing, and it is asked again', async () => {
    const alive = { agent_id: randomUUID(), agent_type: 'code', status: 'online' }
    const { messages } = await between(({ answer, json }) => json(202, answer('work_status', alive)))
    expect((await done()).work).toMatchObject({
      status: 'failed',
      sends: 4,
      error: { code: 5002, message: expect.stringContaining('without a word about the work') },
    })
    expect(messages).toHaveLength(4)
  })
})
