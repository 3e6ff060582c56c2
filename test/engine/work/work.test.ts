import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { refusal, status, success } from '../../support/network/fake-agent.ts'
import { workPlace } from '../../support/runs/work-place.ts'

const { between, bring, done, ended, rpc, send } = workPlace()

describe('work that is sent', () => {
  test('is one message of the document’s shape, followed to its result [chiffon-result-1] [chiffon-trace-1]', async () => {
    const { messages } = await between(({ message, answer, stream, response }) => {
      const { task_id } = message.payload
      stream(answer('work_status', status(task_id, 20)))
      stream(answer('work_status', status(task_id, 60, { number: 2, name: 'test' })))
      stream(answer('work_result', success(task_id, 'it works')))
      response.end()
    })
    const hints = { max_duration_seconds: 60 }
    const { work, result } = await done({
      parameters: { target: 'all' },
      hints,
      customFields: { team: 'blue' },
    })
    expect(work).toMatchObject({
      status: 'completed',
      progress: 100,
      sends: 1,
      error: null,
      step: { name: 'test' },
    })
    expect(result).toMatchObject({
      isSuccess: true,
      exitCode: 0,
      output: 'it works',
      resourcesUsed: { cpu_time_ms: 5 },
    })
    expect(messages.map(({ message }) => message)).toEqual([
      {
        protocol_version: '1.0',
        message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        from_agent: 'orchestrator',
        to_agent: 'code',
        timestamp: expect.stringMatching(/Z$/),
        trace_id: work.traceId,
        request_id: work.requestId,
        type: 'work_request',
        payload: { task_id: work.workId, work_type: 'build', parameters: { target: 'all' }, hints },
        x_custom_fields: { team: 'blue' },
      },
    ])
  })

  test('shows what was sent, with which it can be sent again', async () => {
    const { messages } = await between(({ message, answer, json }) =>
      json(200, answer('work_result', success(message.payload.task_id, 'done'))),
    )
    const order = {
      parameters: { target: 'all' },
      hints: { max_duration_seconds: 60 },
      customFields: { team: 'blue' },
    }
    const { work } = await done(order)
    const { request } = await rpc('cacp/work/get', { workId: work.workId, includeRequest: true })
    expect(request).toMatchObject({ ...order, workType: 'build', peer: work.agentId })
    await rpc('cacp/work/send', request)
    await expect.poll(() => messages.length).toBe(2)
    expect(messages[1]?.message.payload).toMatchObject({ work_type: 'build', parameters: { target: 'all' } })
    expect(await rpc('cacp/work/get', { workId: work.workId })).not.toHaveProperty('request')
  })

  test('that was given up because nobody answered is completed by a result that comes late', async () => {
    await between(({ answer, json }) => json(503, answer('error', refusal(5002))))
    const { work } = await done()
    expect(work).toMatchObject({ status: 'failed', error: { code: 5002 } })
    const other = await bring(work, 'work_result', success(randomUUID(), 'of another task'))
    expect({ status: other.status, code: other.json.payload.error_code }).toEqual({ status: 400, code: 5003 })
    await bring(work, 'work_result', success(work.workId, 'end', { output_chunk: 'bytes 5-8 of 8' }))
    expect((await ended(work.workId)).work.status).toBe('failed')
    await bring(work, 'work_result', success(work.workId, 'late, but here'))
    expect(await ended(work.workId)).toMatchObject({
      work: { status: 'completed', error: null },
      result: { output: 'late, but here' },
    })
  })

  test('tells its contract how it ended, and again when its result comes late', async () => {
    await between(({ answer, json }) => json(503, answer('error', refusal(5002))))
    const { projectId } = await rpc('cacp/project/create', { name: 'Late', objective: '' })
    const contract = { projectId, type: 'custom', name: 'Build', content: {} }
    const { contractId } = await rpc('cacp/contract/propose', contract)
    const { work } = await done({ contractId })
    await bring(work, 'work_result', success(work.workId, 'late, but here'))
    const told = async () => {
      const { packets } = await rpc('cacp/context/list', { projectId })
      return packets.map(({ content }: { content: { status: string } }) => content.status)
    }
    await expect.poll(told).toEqual(['failed', 'completed'])
  })

  test('whose result holds what cannot be kept is refused, and nothing of it is', async () => {
    await between(({ message, response }) => {
      const payload = { ...success(message.payload.task_id, 'x'), resources_used: {} }
      const envelope = JSON.stringify({ ...message, type: 'work_result', payload })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(envelope.replace('"output":"x"', '"output":"\\ud800"'))
    })
    expect(await done()).toMatchObject({ work: { status: 'failed', error: { code: 5003 } }, result: null })
  })

  test('that fails there is failed here, with its exit code [chiffon-result-3]', async () => {
    await between(({ message, answer, json }) =>
      json(
        200,
        answer('work_result', {
          ...success(message.payload.task_id, 'no image'),
          status: 'failed',
          exit_code: 7,
        }),
      ),
    )
    const { work, result } = await done()
    expect({ status: work.status, exitCode: result.exitCode, sends: work.sends }).toEqual({
      status: 'failed',
      exitCode: 7,
      sends: 1,
    })
  })
})

describe('a result', () => {
  const answering = (payload: (task: string) => object) =>
    between(({ message, answer, json }) => json(200, answer('work_result', payload(message.payload.task_id))))

  test('of another task is refused, and the work has failed', async () => {
    const { messages } = await answering(() => success(randomUUID(), 'of something else'))
    expect(await done()).toMatchObject({
      work: { status: 'failed', error: { code: 5003, context: { field_name: 'payload.task_id' } } },
      result: null,
    })
    expect(messages).toHaveLength(1)
  })

  test('that failed with exit code 0 is refused [chiffon-result-3]', async () => {
    await answering((task) => ({ ...success(task, ''), status: 'failed' }))
    expect(await done()).toMatchObject({
      work: { status: 'failed', error: { code: 5003, context: { field_name: 'payload.exit_code' } } },
      result: null,
    })
  })

  test.each([0, 130])('that was cancelled there with exit code %d is canceled here', async (exit_code) => {
    await answering((task) => ({ ...success(task, 'half of it'), status: 'cancelled', exit_code }))
    expect(await done()).toMatchObject({
      work: { status: 'canceled', error: null, sends: 1 },
      result: { isSuccess: false, exitCode: exit_code, output: 'half of it' },
    })
  })
})

describe('versions', () => {
  test.each([
    [{ versions: ['1.0'] }, '1.0'],
    [{ versions: ['2.0', '1.0'], agentType: 'infra' }, '1.0'],
    [undefined, '1.0'],
  ])('CH-07 an agent that registers %j is spoken to in %s [chiffon-version-1]', async (chiffon, version) => {
    const { messages } = await between(
      ({ message, answer, json }) => json(200, answer('work_result', success(message.payload.task_id, ''))),
      { chiffon },
    )
    await done()
    expect(messages[0]?.message).toMatchObject({
      protocol_version: version,
      to_agent: chiffon !== undefined && 'agentType' in chiffon ? 'infra' : 'code',
    })
  })

  test('CH-07 without a common version nothing is sent', async () => {
    const { messages } = await between(() => {}, { chiffon: { versions: ['2.0'] } })
    expect((await done()).work).toMatchObject({ status: 'failed', sends: 0, error: { code: 5006 } })
    expect(messages).toEqual([])
  })
})

describe('who and what', () => {
  test('a peer is found by repository, agent ID or URL, and an unknown one is named', async () => {
    const { registration } = await between(({ message, answer, json }) =>
      json(200, answer('work_result', success(message.payload.task_id, 'ok'))),
    )
    for (const peer of ['worker', registration.agentId, registration.endpoint, `${registration.endpoint}/`])
      expect((await done({ peer })).work.status).toBe('completed')
    await expect(send({ peer: 'nobody' })).rejects.toMatchObject({
      data: { kind: 'not_found', field: 'peer' },
    })
  })

  test('no peer may have this daemon send anything', async () => {
    const { registration, messages } = await between(() => {})
    const headers = { authorization: '', 'x-agent-id': registration.agentId }
    await expect(rpc('cacp/work/send', { peer: 'worker', workType: 'x' }, headers)).rejects.toMatchObject({
      data: { kind: 'forbidden' },
    })
    await expect(rpc('cacp/work/list', {}, headers)).rejects.toMatchObject({
      data: { kind: 'forbidden' },
    })
    expect(messages).toEqual([])
  })

  test('work that is canceled ends at once, and what comes later does not count', async () => {
    let finish = () => {}
    await between(({ message, answer, stream, response }) => {
      stream(answer('work_status', status(message.payload.task_id, 10)))
      finish = () => {
        stream(answer('work_result', success(message.payload.task_id, 'too late')))
        response.end()
      }
    })
    const { workId } = await send()
    await expect.poll(async () => (await rpc('cacp/work/get', { workId })).work.status).toBe('running')
    expect((await rpc('cacp/work/cancel', { workId })).work.status).toBe('canceled')
    finish()
    expect(await ended(workId)).toMatchObject({ work: { status: 'canceled' }, result: null })
    expect((await rpc('cacp/work/list', { status: 'canceled' })).works).toHaveLength(1)
  })

  test('unknown work is not found', async () => {
    await between(() => {})
    await expect(rpc('cacp/work/get', { workId: 'nope' })).rejects.toMatchObject({
      data: { kind: 'not_found' },
    })
  })
})
