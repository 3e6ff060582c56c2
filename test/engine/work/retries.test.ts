import { beforeEach, describe, expect, test } from 'vitest'
import { type FakeAgentOptions, refusal, status, success } from '../../support/network/fake-agent.ts'
import { workPlace } from '../../support/runs/work-place.ts'

const { between, done, ended, send } = workPlace()

describe('an agent that does not answer', () => {
  test('CH-18 is sent the same request four times, after 0, 1, 2 and 4 seconds [chiffon-retry-1] [chiffon-retry-2]', async () => {
    const { messages } = await between(({ answer, json }) => json(503, answer('error', refusal(5002))), {
      flags: { peerRetrySeconds: [0, 1, 2, 4] },
    })
    const { work } = await done()
    const times = messages.map(({ at }) => at)
    const waits = times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1000)
    for (const [index, expected] of [1, 2, 4].entries()) {
      expect(waits[index]).toBeGreaterThan(expected - 0.1)
      expect(waits[index]).toBeLessThan(expected + 2)
    }
    expect(messages).toHaveLength(4)
    expect(new Set(messages.map(({ message }) => message.request_id)).size).toBe(1)
    expect(new Set(messages.map(({ message }) => message.message_id)).size).toBe(4)
    expect(work).toMatchObject({ status: 'failed', sends: 4, error: { code: 5002, retryable: true } })
  }, 30_000)

  test.each([5003, 5004, 5006, 5999])('CH-19 with %d it is sent once [chiffon-retry-2]', async (code) => {
    const { messages } = await between(({ answer, json }) =>
      json(400, answer('error', refusal(code, { why: 1 }))),
    )
    const { work } = await done()
    expect(messages).toHaveLength(1)
    expect(work).toMatchObject({
      status: 'failed',
      error: { code, retryable: false, message: `refused with ${code}`, context: { why: 1 } },
    })
  })

  test('CH-18 that is busy for a while does it in the end', async () => {
    const { messages } = await between(({ message, answer, json, visit }) =>
      visit < 3
        ? json(429, answer('error', refusal(5005)))
        : json(200, answer('work_result', success(message.payload.task_id, 'at last'))),
    )
    const { work, result } = await done()
    expect({ sends: work.sends, output: result.output }).toEqual({ sends: 4, output: 'at last' })
    expect(messages).toHaveLength(4)
  })

  test('CH-17 that is silent is 5001, with how often it was tried and when last [chiffon-timeout-1] [chiffon-error-2]', async () => {
    const { messages } = await between(() => {}, {
      flags: { workSilenceSeconds: 1, peerRetrySeconds: [0, 0] },
    })
    const { work } = await done()
    expect(messages).toHaveLength(2)
    expect(work.error).toMatchObject({
      code: 5001,
      context: { attempted_retries: 1, last_attempt: expect.stringMatching(/Z$/) },
    })
  })

  test('CH-17 that acknowledges and then says nothing is 5001 too', async () => {
    await between(
      ({ message, answer, stream }) => stream(answer('work_status', status(message.payload.task_id, 5))),
      {
        flags: { workSilenceSeconds: 1, peerRetrySeconds: [0, 0] },
      },
    )
    expect((await done()).work).toMatchObject({
      sends: 2,
      error: { code: 5001, context: { attempted_retries: 1 } },
    })
  })

  test('CH-17 is waited for as long as the hint allows [chiffon-timeout-2]', async () => {
    await between(
      ({ message, answer, stream, response }) => {
        setTimeout(() => {
          stream(answer('work_result', success(message.payload.task_id, 'slow')))
          response.end()
        }, 2500)
      },
      { flags: { workSilenceSeconds: 1 } },
    )
    const { work, result } = await done({ hints: { max_duration_seconds: 600 } })
    expect({ sends: work.sends, output: result.output }).toEqual({ sends: 1, output: 'slow' })
  })

  test('that is not there at all is 5002, and names it [chiffon-error-3]', async () => {
    const gone = await between(() => {})
    await gone.leave()
    const { work } = await done()
    expect(work).toMatchObject({
      status: 'failed',
      sends: 4,
      error: { code: 5002, context: { agent_id: gone.registration.agentId, last_heartbeat: null } },
    })
  })

  test.each([
    ['no message', 200, { hello: 1 }, 5003, 1],
    ['a page of a proxy', 502, undefined, 5002, 4],
    ['JSON of a proxy', 503, { message: 'no healthy upstream' }, 5002, 4],
    ['JSON that is no object', 500, null, 5002, 4],
    ['JSON that says to wait', 429, { error: { code: 429 } }, 5002, 4],
    ['nothing of the protocol', 404, undefined, 5003, 1],
    ['JSON of another protocol', 404, { detail: 'Not Found' }, 5003, 1],
    ['a locked door', 403, undefined, 5004, 1],
    ['a locked door that speaks JSON', 401, { detail: 'no' }, 5004, 1],
  ])('that answers %s (%d) is sent it as often as may help', async (_what, http, body, code, sends) => {
    const { messages } = await between(({ response, json }) => {
      if (body === undefined) response.writeHead(http).end('<html>')
      else json(http, body)
    })
    expect((await done()).work).toMatchObject({ sends, error: { code } })
    expect(messages).toHaveLength(sends)
  })

  test('that broke off in the middle of its work is asked again and goes on', async () => {
    const { messages } = await between(({ message, answer, stream, response, visit }) => {
      const { task_id } = message.payload
      stream(answer('work_status', status(task_id, 10)))
      for (let n = 0; n <= visit; n++) stream(answer('work_status', status(task_id, 20 + n)))
      // More often than a message that was never taken would be sent.
      if (visit < 6) setTimeout(() => response.destroy(), 20)
      else stream(answer('work_result', success(task_id, 'finally')))
    })
    const { work, result } = await done()
    expect({ status: work.status, output: result.output }).toEqual({ status: 'completed', output: 'finally' })
    expect(messages).toHaveLength(7)
  })

  test('CH-18 that gets further each time and takes too long each time is asked four times, and no more', async () => {
    const { messages } = await between(({ message, answer, stream, response, visit }) => {
      for (let n = 0; n <= visit + 1; n++)
        stream(answer('work_status', status(message.payload.task_id, 10 + n)))
      stream(answer('error', refusal(5001)))
      response.end()
    })
    expect((await done()).work).toMatchObject({ status: 'failed', sends: 4, error: { code: 5001 } })
    expect(messages).toHaveLength(4)
  })
})

describe('the breaker', () => {
  const down = { isDown: true }
  const serve: FakeAgentOptions['serve'] = ({ message, answer, json }) =>
    down.isDown
      ? json(503, answer('error', refusal(5002)))
      : json(200, answer('work_result', success(message.payload.task_id, 'up')))
  beforeEach(() => {
    down.isDown = true
  })

  test('CH-20 keeps new work from an agent that failed five times, looks at its health after the pause [chiffon-breaker-1] [chiffon-breaker-3]', async () => {
    const { messages } = await between(serve, {
      isHealthy: () => !down.isDown,
      flags: { peerPauseSeconds: 1 },
    })
    await done()
    await done()
    expect(messages).toHaveLength(8)
    expect(await send()).toMatchObject({ status: 'failed', sends: 0, error: { code: 5002 } })
    expect(messages).toHaveLength(8)
    down.isDown = false
    await expect.poll(async () => (await done()).work.status, { timeout: 10_000 }).toBe('completed')
    expect(messages).toHaveLength(9)
    expect((await done()).work.status).toBe('completed')
  }, 30_000)

  test('CH-20 lets work under way go on [chiffon-breaker-2]', async () => {
    let finish = () => {}
    const { messages } = await between((visit) => {
      const { message, answer, stream, response } = visit
      if (message.payload.work_type !== 'long') return serve(visit)
      stream(answer('work_status', status(message.payload.task_id, 10)))
      finish = () => {
        stream(answer('work_result', success(message.payload.task_id, 'long')))
        response.end()
      }
    })
    const { workId } = await send({ workType: 'long' })
    await expect.poll(() => messages.length).toBe(1)
    await done()
    await done()
    expect(await send()).toMatchObject({ sends: 0, error: { code: 5002 } })
    finish()
    expect((await ended(workId)).result.output).toBe('long')
  })

  test('CH-21 counts only failures in a row, and none of what the agent refuses', async () => {
    let code = 5002
    const { messages } = await between((visit) => {
      if (down.isDown) visit.json(400, visit.answer('error', refusal(code)))
      else serve(visit)
    })
    await done()
    down.isDown = false
    expect((await done()).work.status).toBe('completed')
    down.isDown = true
    await done()
    expect(messages).toHaveLength(9)
    code = 5003
    for (let n = 0; n < 6; n++) expect((await done()).work.error.code).toBe(5003)
    code = 5005
    expect((await done()).work).toMatchObject({ sends: 4, error: { code: 5005 } })
    expect((await send()).status).toBe('sending')
  })
})
