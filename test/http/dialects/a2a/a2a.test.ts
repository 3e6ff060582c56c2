import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { daemon, type TestDaemon } from '../../../support/daemons/daemon.ts'
import {
  a2aCaller,
  answerIn,
  echoing,
  legacyMessage,
  message,
  streamedText,
} from '../../../support/dialects/a2a-client.ts'
import { eventsIn } from '../../../support/dialects/assist.ts'
import { OPERATOR } from '../../../support/runs/test-runs.ts'

let backend: TestDaemon
beforeAll(async () => {
  backend = await daemon()
})
afterAll(() => backend[Symbol.asyncDispose]())

const v1 = () => a2aCaller(backend, '1.0')
const v03 = () => a2aCaller(backend, '0.3')
const SLOW = { repeat: 100, delay_ms: 10_000 }

describe('sending a message', () => {
  test('1.0: the answer is the task at its end [a2a-send-1] [a2a-task-1] [a2a-method-2]', async () => {
    const asked = message('hello', echoing({ repeat: 2 }))
    const { task } = await v1().call('SendMessage', { message: asked })
    expect(task).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      contextId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: {
        state: 'TASK_STATE_COMPLETED',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      artifacts: [{ name: 'answer', parts: [{ text: 'hellohello' }] }],
      history: [{ ...asked, taskId: task.id, contextId: task.contextId }],
    })
    expect((await v1().call('GetTask', { id: task.id })).artifacts).toEqual(task.artifacts)
  })

  test('0.3: the same in its own words [a2a-send-1] [a2a-method-1]', async () => {
    const asked = legacyMessage('hello', echoing())
    const task = await v03().call('message/send', { message: asked })
    expect(task).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ name: 'answer', parts: [{ kind: 'text', text: 'hello' }] }],
      history: [{ ...asked, taskId: task.id, contextId: task.contextId }],
    })
    expect(await v03().call('tasks/get', { id: task.id })).toEqual(task)
  })

  test('with nothing configured the question is answered from what is here, with sources', async () => {
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'Checkout', objective: 'Pay' })
    await backend.rpc('cacp/contract/propose', {
      projectId,
      type: 'api_endpoint',
      name: 'Create order',
      content: { method: 'POST', path: '/orders' },
    })
    const { task } = await v1().call('SendMessage', {
      message: message('What is the contract Create order?'),
    })
    expect(answerIn(task)).toContain('Create order')
    const [answer] = task.artifacts
    expect(answer.metadata['urn:cacp:2.0'].citations).toContainEqual(
      expect.objectContaining({ uri: expect.stringMatching(/^cacp:contract\//) }),
    )
    expect(task.artifacts.length).toBeGreaterThan(1)
  })

  test.each([
    ['1.0', { returnImmediately: true }],
    ['0.3', { blocking: false }],
  ] as const)(
    '%s: whoever does not want to wait is answered at once [a2a-send-2] [a2a-cancel-1]',
    async (version, configuration) => {
      const caller = a2aCaller(backend, version)
      const is03 = version === '0.3'
      const asked = is03 ? legacyMessage('hi', echoing(SLOW)) : message('hi', echoing(SLOW))
      const sent = await caller.call(is03 ? 'message/send' : 'SendMessage', { message: asked, configuration })
      const { id, status } = sent.task ?? sent
      expect(status.state).toMatch(/submitted|working/i)
      const canceled = await caller.call(is03 ? 'tasks/cancel' : 'CancelTask', { id })
      expect(canceled.status.state).toMatch(/canceled$/i)
      expect(canceled.status.message.parts[0].text).toBe('The task was canceled')
      expect(await caller.call(is03 ? 'tasks/cancel' : 'CancelTask', { id })).toEqual(canceled)
    },
  )

  test('0.3: a configuration that does not say whether to wait means to wait', async () => {
    const task = await v03().call('message/send', {
      message: legacyMessage('hi', echoing()),
      configuration: { acceptedOutputModes: ['text/plain'], historyLength: null },
    })
    expect(task.status.state).toBe('completed')
    expect(task.history).toHaveLength(1)
  })

  test('the same message is the same task, in whichever version it is sent [a2a-send-3]', async () => {
    const asked = message('once', echoing())
    const { task } = await v1().call('SendMessage', { message: asked })
    expect((await v1().call('SendMessage', { message: asked })).task).toEqual(task)
    const again = legacyMessage('once', { ...echoing(), messageId: asked.messageId })
    expect((await v03().call('message/send', { message: again })).id).toBe(task.id)
    const other = { ...asked, parts: [{ text: 'another' }] }
    expect(await v1().refused('SendMessage', { message: other })).toMatchObject({
      code: -32602,
      data: [{ metadata: { kind: 'idempotency_conflict' } }],
    })
  })

  test('many at once with the same id start one task [a2a-send-3]', async () => {
    const asked = message('once', echoing())
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => v1().call('SendMessage', { message: asked })),
    )
    expect(new Set(sent.map(({ task }) => task.id)).size).toBe(1)
  })

  test('a context goes on: its tasks are found by it and know what was said [a2a-context-1]', async () => {
    const { task: first } = await v1().call('SendMessage', { message: message('one', echoing()) })
    const { contextId } = first
    const { task: second } = await v1().call('SendMessage', {
      message: message('two', { contextId, ...echoing() }),
    })
    expect(second.contextId).toBe(contextId)
    const { tasks } = await v1().call('ListTasks', { contextId })
    expect(tasks.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
    expect(await backend.runs.history(contextId, OPERATOR)).toMatchObject([{ text: 'one' }, { text: 'two' }])
  })

  test('parts of all kinds reach the agent and come back in the history', async () => {
    const parts = [
      { text: 'look', mediaType: 'text/markdown' },
      { data: { a: [1, null] } },
      { data: [1, 2] },
      { raw: 'aGVsbG8=', filename: 'hello.txt', mediaType: 'text/plain' },
      { raw: 'AAAA', mediaType: 'image/png' },
      { url: 'https://example.com/a.pdf', filename: 'a.pdf', metadata: { page: 1 } },
      { url: 'https://example.com/a.png', mediaType: 'image/png' },
    ]
    const { task } = await v1().call('SendMessage', { message: message('', { parts, ...echoing() }) })
    expect(task.history[0].parts).toEqual(parts)
    const { request } = backend.runs.get(task.id, OPERATOR)
    expect(request.files).toEqual(['https://example.com/a.pdf', 'https://example.com/a.png'])
    expect(request.messages[0]?.content.map(({ type }) => type)).toEqual([
      'text',
      'data',
      'data',
      'file',
      'image',
      'file',
      'image',
    ])
  })

  test('a message for a task: unknown, or one that takes no more [a2a-send-5]', async () => {
    const { task } = await v1().call('SendMessage', { message: message('hi', echoing()) })
    expect(
      await v1().refused('SendMessage', { message: message('more', { taskId: task.id }) }),
    ).toMatchObject({
      code: -32004,
      data: [
        { reason: 'UNSUPPORTED_OPERATION', metadata: { next: expect.stringContaining(task.contextId) } },
      ],
    })
    expect(
      await v1().refused('SendMessage', { message: message('more', { taskId: 'nowhere' }) }),
    ).toMatchObject({ code: -32001 })
  })
})

describe('streams', () => {
  test('1.0: first the task, then updates, at last the end [a2a-stream-1] [a2a-stream-2] [a2a-stream-3]', async () => {
    const asked = message('ab', echoing({ repeat: 3 }))
    const reply = await v1().post('SendStreamingMessage', { message: asked }, 'call-7')
    expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const answers = reply.text
      .trim()
      .split('\n\n')
      .map((frame) => JSON.parse(frame.replace(/^data: /, '')))
    expect(answers.every(({ jsonrpc, id }) => jsonrpc === '2.0' && id === 'call-7')).toBe(true)
    const results = answers.map(({ result }) => result)
    expect(results[0].task.status.state).toBe('TASK_STATE_SUBMITTED')
    const kinds = results.map((result) => Object.keys(result)[0]).join(' ')
    expect(kinds).toMatch(/^task statusUpdate (?:artifactUpdate )+statusUpdate$/)
    const updates = results.flatMap(({ artifactUpdate }) => artifactUpdate ?? [])
    expect(updates.map(({ append = false }) => append)).toEqual(updates.map((_, index) => index > 0))
    expect(updates.map(({ lastChunk = false }) => lastChunk)).toEqual(
      updates.map((_, index) => index === updates.length - 1),
    )
    expect(streamedText(results)).toBe('ababab')
    expect(results.at(-1).statusUpdate.status.state).toBe('TASK_STATE_COMPLETED')
  })

  test('0.3: the same, and the last one says that it is final [a2a-stream-2]', async () => {
    const results = await v03().stream('message/stream', { message: legacyMessage('ab', echoing()) })
    expect(results.map(({ kind }) => kind)).toEqual([
      'task',
      'status-update',
      'artifact-update',
      'artifact-update',
      'status-update',
    ])
    expect(results.map(({ final }) => final === true)).toEqual([false, false, false, false, true])
    expect(streamedText(results)).toBe('ab')
  })

  test('the same message streamed again tells the same again [a2a-send-3]', async () => {
    const params = { message: message('again', echoing()) }
    const first = await v1().stream('SendStreamingMessage', params)
    const again = await v1().stream('SendStreamingMessage', params)
    expect([again[0], again.at(-1), streamedText(again)]).toEqual([first[0], first.at(-1), 'again'])
  })

  test('the task goes on when its reader leaves, and can be taken up again [a2a-stream-4] [a2a-subscribe-1]', async () => {
    const leaving = new AbortController()
    let id = ''
    await v1()
      .stream(
        'SendStreamingMessage',
        { message: message('x', echoing({ repeat: 20, delay_ms: 50 })) },
        {
          signal: leaving.signal,
          hear: (result) => {
            if (result.task !== undefined) id = result.task.id
            if (result.artifactUpdate !== undefined) leaving.abort()
          },
        },
      )
      .catch(() => {})
    const results = await v1().stream('SubscribeToTask', { id })
    expect(results[0].task).toMatchObject({ id, status: { state: 'TASK_STATE_WORKING' } })
    expect(answerIn(results[0].task) + streamedText(results)).toBe('x'.repeat(20))
    expect(results.at(-1).statusUpdate.status.state).toBe('TASK_STATE_COMPLETED')
    const task = await v1().call('GetTask', { id })
    expect(answerIn(task)).toBe('x'.repeat(20))
    expect(task.history).toHaveLength(21)
  })

  test('a subscription ends when the task is canceled by another', async () => {
    const { task } = await v1().call('SendMessage', {
      message: message('x', echoing(SLOW)),
      configuration: { returnImmediately: true },
    })
    const results = await v03().stream(
      'tasks/resubscribe',
      { id: task.id },
      {
        hear: ({ kind }) => {
          if (kind === 'task')
            v1()
              .call('CancelTask', { id: task.id })
              .catch(() => {})
        },
      },
    )
    expect(results.at(-1)).toMatchObject({
      kind: 'status-update',
      final: true,
      status: { state: 'canceled' },
    })
  })

  test('nothing to follow any more: refused in 1.0, told as a whole in 0.3 [a2a-subscribe-2]', async () => {
    const { task } = await v1().call('SendMessage', { message: message('x', echoing()) })
    const { status, json } = await v1().post('SubscribeToTask', { id: task.id })
    expect({ status, json }).toMatchObject({ status: 200, json: { id: 1, error: { code: -32004 } } })
    const told = await v03().stream('tasks/resubscribe', { id: task.id })
    expect(told).toMatchObject([{ kind: 'task', status: { state: 'completed' } }])
    expect(await v03().refused('tasks/resubscribe', { id: 'nowhere' })).toMatchObject({ code: -32001 })
  })

  test('a failure is the end of the task, with its words', async () => {
    const broken = message('x', { metadata: { 'urn:cacp:2.0': { workType: 'check_contract' } } })
    const results = await v1().stream('SendStreamingMessage', { message: broken })
    expect(results.at(-1)).toMatchObject({
      statusUpdate: {
        status: { state: 'TASK_STATE_FAILED', message: { role: 'ROLE_AGENT' } },
        metadata: { 'urn:cacp:2.0': { failure: { kind: 'invalid_params', retryable: false } } },
      },
    })
  })
})

describe('tasks', () => {
  test('historyLength bounds the history [a2a-task-2]', async () => {
    const { task } = await v1().call('SendMessage', {
      message: message('x', echoing({ repeat: 3, delay_ms: 1 })),
    })
    expect(task.history).toHaveLength(4)
    const { history } = await v1().call('GetTask', { id: task.id, historyLength: 2 })
    expect(history).toEqual(task.history.slice(2))
    expect(await v1().call('GetTask', { id: task.id, historyLength: 0 })).not.toHaveProperty('history')
    const whole = (await v1().call('GetTask', { id: task.id })).history
    for (const historyLength of [whole.length, whole.length + 1, 2 * whole.length - 1, 1_000_000])
      expect((await v1().call('GetTask', { id: task.id, historyLength })).history).toEqual(whole)
  })

  test('others’ tasks, and runs of other protocols, do not exist [a2a-task-3]', async () => {
    await using open = await daemon({ open: true })
    const asOpen = a2aCaller(open, '1.0', { authorization: '' })
    const mine = await a2aCaller(open, '1.0').call('SendMessage', { message: message('x', echoing()) })
    expect(await asOpen.refused('GetTask', { id: mine.task.id })).toMatchObject({
      code: -32001,
      data: [{ reason: 'TASK_NOT_FOUND' }],
    })
    expect((await asOpen.call('ListTasks')).tasks).toEqual([])
    const { run } = await open.runs.start(
      { ...open.runs.get(mine.task.id, OPERATOR).request, dialect: 'cap', request_id: 'r' },
      OPERATOR,
    )
    expect(await a2aCaller(open, '1.0').refused('GetTask', { id: run.run_id })).toMatchObject({
      code: -32001,
    })
  })

  test('what has ended cannot be canceled [a2a-cancel-2]', async () => {
    const { task } = await v1().call('SendMessage', { message: message('x', echoing()) })
    expect(await v1().refused('CancelTask', { id: task.id })).toMatchObject({ code: -32002 })
    expect(await v03().refused('tasks/cancel', { id: task.id })).toMatchObject({ code: -32002 })
    expect(await v03().refused('tasks/cancel', { id: 'nowhere' })).toMatchObject({ code: -32001 })
  })

  test('they are listed in pages, newest first [a2a-list-1] [a2a-list-2]', async () => {
    await using quiet = await daemon()
    const { call, refused } = a2aCaller(quiet, '1.0')
    const ids: string[] = []
    for (const text of ['one', 'two', 'three']) {
      const { task } = await call('SendMessage', { message: message(text, echoing()) })
      ids.unshift(task.id)
    }
    const idsOf = ({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id)
    const first = await call('ListTasks', { pageSize: 2 })
    expect(first).toMatchObject({ pageSize: 2, totalSize: 3, nextPageToken: expect.stringMatching(/./) })
    const rest = await call('ListTasks', { pageSize: 2, pageToken: first.nextPageToken })
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids)
    expect(rest.nextPageToken).toBe('')
    expect(first.tasks[0]).not.toHaveProperty('artifacts')
    expect(answerIn((await call('ListTasks', { includeArtifacts: true })).tasks[0])).toBe('three')
    expect(idsOf(await call('ListTasks', { status: 'TASK_STATE_FAILED' }))).toEqual([])
    expect(idsOf(await call('ListTasks', { status: 'TASK_STATE_COMPLETED' }))).toEqual(ids)
    const since = first.tasks[0].status.timestamp
    expect(idsOf(await call('ListTasks', { statusTimestampAfter: since }))).toContain(ids[0])
    expect(idsOf(await call('ListTasks', { statusTimestampAfter: '2100-01-01T00:00:00Z' }))).toEqual([])
    for (const wrong of [
      { pageSize: 0 },
      { pageSize: 101 },
      { pageToken: 'x' },
      { statusTimestampAfter: 'now' },
    ])
      expect(await refused('ListTasks', wrong)).toMatchObject({
        code: -32602,
        message: expect.stringContaining(Object.keys(wrong)[0] ?? ''),
      })
  })

  test('a page that would be too large is cut, and the rest is on the next', async () => {
    await using quiet = await daemon()
    const { call } = a2aCaller(quiet, '1.0')
    const large = { text: 'x'.repeat(100_000), repeat: 6 }
    for (let index = 0; index < 3; index++)
      await call('SendMessage', { message: message('', { parts: [{ text: 'x' }], ...echoing(large) }) })
    const page = await call('ListTasks', { includeArtifacts: true })
    expect(page.tasks).toHaveLength(1)
    const next = await call('ListTasks', { includeArtifacts: true, pageToken: page.nextPageToken })
    expect(next.tasks[0].id).not.toBe(page.tasks[0].id)
  })
})

const WORK_TYPE = 'message.metadata.urn:cacp:2.0.workType'

describe('what is refused', () => {
  test.each([
    ['SendMessage', undefined, 'message required'],
    ['SendMessage', [], 'must be an object'],
    ['SendMessage', { message: 'hi' }, 'message: must be an object'],
    ['SendMessage', { message: { ...message('x'), messageId: undefined } }, 'message.messageId required'],
    ['SendMessage', { message: { ...message('x'), messageId: 'x'.repeat(201) } }, 'message.messageId'],
    ['SendMessage', { message: { ...message('x'), role: 'ROLE_AGENT' } }, 'message.role'],
    ['SendMessage', { message: { ...message('x'), parts: [] } }, 'message.parts'],
    ['SendMessage', { message: { ...message('x'), parts: [null] } }, 'message.parts.0'],
    ['SendMessage', { message: { ...message('x'), parts: [{}] } }, 'message.parts.0'],
    ['SendMessage', { message: { ...message('x'), parts: [{ text: 'a', url: 'b' }] } }, 'message.parts.0'],
    ['SendMessage', { message: { ...message('x'), parts: [{ text: 5 }] } }, 'message.parts.0.text'],
    ['SendMessage', { message: { ...message('x'), parts: [{ raw: '%%' }] } }, 'message.parts.0.raw'],
    ['SendMessage', { message: message('\ud800') }, 'message.parts.0.text'],
    ['SendMessage', { message: message('x', { metadata: { 'urn:cacp:2.0': { workType: 5 } } }) }, 'workType'],
    ['SendMessage', { message: message('x'), configuration: { historyLength: -1 } }, 'historyLength'],
    ['GetTask', {}, 'id required'],
    ['GetTask', { id: 5 }, 'id: must be text'],
    ['CancelTask', { id: 'x'.repeat(300) }, 'id'],
    ['message/send', { message: legacyMessage('x', { parts: [{ kind: 'file' }] }) }, 'message.parts.0.file'],
    ['message/send', { message: legacyMessage('x', { parts: [{ text: 'x' }] }) }, 'message.parts.0.kind'],
    ['message/send', { message: legacyMessage('x', { role: 'agent' }) }, 'message.role'],
    ['message/stream', { message: message('x') }, 'message.role'],
  ])('%s with %j: -32602 says where [a2a-send-4] [a2a-error-2]', async (method, params, where) => {
    const version = method.includes('/') ? '0.3' : '1.0'
    const { code, message: said } = await a2aCaller(backend, version).refused(method, params)
    expect(code).toBe(-32602)
    expect(said).toContain(where)
  })

  test('work that nobody does here is an operation that is not supported', async () => {
    const asked = message('x', { metadata: { 'urn:cacp:2.0': { workType: 'dance' } } })
    expect(await v1().refused('SendMessage', { message: asked })).toMatchObject({
      code: -32004,
      data: [
        { metadata: { field: WORK_TYPE, workType: 'dance', supported: expect.stringContaining('echo') } },
      ],
    })
  })

  test.each(['0.3', '1.0'] as const)(
    '%s: what is refused by the run is told with the fields of A2A',
    async (version) => {
      const [send, said] = version === '0.3' ? ['message/send', legacyMessage] : ['SendMessage', message]
      const first = (said as typeof message)('x', echoing())
      await a2aCaller(backend, version).call(send, { message: first })
      const other = {
        ...first,
        metadata: { 'urn:cacp:2.0': { workType: 'echo', parameters: { text: 'other' } } },
      }
      const long = {
        ...(said as typeof message)('x'),
        metadata: { 'urn:cacp:2.0': { workType: 'a\u0007b' } },
      }
      for (const [wrong, field] of [
        [other, 'message.messageId'],
        [long, WORK_TYPE],
      ] as const) {
        const { message: told, data } = await a2aCaller(backend, version).refused(send, { message: wrong })
        expect(told).toContain(field)
        expect(JSON.stringify([told, data])).not.toMatch(/request_id|session_id|work_type/)
        expect((version === '0.3' ? data : data[0].metadata).field).toBe(field)
      }
    },
  )

  test('0.3: a stream that is refused before it begins is a stream with that one answer; a missing key is told by HTTP', async () => {
    const wrong = { message: legacyMessage('x', { parts: [] }) }
    const reply = await v03().post('message/stream', wrong, 'my-id')
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(eventsIn(reply.text).events.map(({ data }) => JSON.parse(data))).toMatchObject([
      { jsonrpc: '2.0', id: 'my-id', error: { code: -32602, data: { field: 'message.parts' } } },
    ])
    const gone = await v03().post('tasks/resubscribe', { id: 'nobody' })
    expect(eventsIn(gone.text).events.map(({ data }) => JSON.parse(data).error.code)).toEqual([-32001])
    const keyless = await a2aCaller(backend, '0.3', { authorization: '' }).post('message/stream', wrong)
    expect([keyless.status, keyless.json.error.data.kind]).toEqual([401, 'unauthorized'])
    const newer = await v1().post('SendStreamingMessage', { message: message('x', { parts: [] }) })
    expect(newer.json.error.code).toBe(-32602)
  })

  test.each([
    'CreateTaskPushNotificationConfig',
    'GetTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'DeleteTaskPushNotificationConfig',
    'tasks/pushNotificationConfig/set',
    'tasks/pushNotificationConfig/get',
    'tasks/pushNotificationConfig/list',
    'tasks/pushNotificationConfig/delete',
  ])('%s: no push notifications [a2a-push-1]', async (method) => {
    const isOld = method.includes('/')
    const caller = a2aCaller(backend, isOld ? '0.3' : '1.0')
    const instead = isOld
      ? { supported: ['message/stream', 'tasks/resubscribe', 'tasks/get'] }
      : [{ metadata: { supported: '["SendStreamingMessage","SubscribeToTask","GetTask"]' } }]
    for (const params of [undefined, { taskId: 't', id: 't', pushNotificationConfig: { url: 'http://x' } }])
      expect(await caller.refused(method, params)).toMatchObject({ code: -32003, data: instead })
  })

  test('a message that wants push notifications starts nothing [a2a-push-1]', async () => {
    const asked = message('x', echoing())
    const config = { url: 'https://example.com/hook' }
    expect(
      await v1().refused('SendMessage', {
        message: asked,
        configuration: { taskPushNotificationConfig: config },
      }),
    ).toMatchObject({ code: -32003 })
    expect(
      await v03().refused('message/stream', {
        message: legacyMessage('x', echoing()),
        configuration: { pushNotificationConfig: config },
      }),
    ).toMatchObject({ code: -32003 })
    expect(backend.runs.find('a2a', asked.messageId, OPERATOR)).toBeUndefined()
  })

  test('the extended card [a2a-extended-1]', async () => {
    expect(await v1().refused('GetExtendedAgentCard')).toMatchObject({ code: -32004 })
    expect(await v03().refused('agent/getAuthenticatedExtendedCard')).toMatchObject({ code: -32007 })
  })

  test('versions and the methods that they do not have [a2a-version-1] [a2a-version-2] [a2a-method-3]', async () => {
    const spoken = (version: string) => a2aCaller(backend, '0.3', { 'a2a-version': version })
    expect(await v03().refused('SendMessage', {})).toMatchObject({
      code: -32601,
      data: { next: 'Send the header A2A-Version: 1.0' },
    })
    expect(await v1().refused('message/send')).toMatchObject({ code: -32601 })
    expect(await v03().refused('tasks/list', {})).toMatchObject({ code: -32601 })
    for (const version of ['2.0', '1', 'x', '0.2.5'])
      expect(await spoken(version).refused('message/send')).toMatchObject({ code: -32009 })
    for (const version of ['1.0.1', ' 1.0 '])
      expect((await spoken(version).call('ListTasks', { pageSize: 1 })).pageSize).toBe(1)
    const { id } = await spoken('').call('message/send', { message: legacyMessage('x', echoing()) })
    expect(id).toBeTypeOf('string')
  })

  test('errors of 1.0 have typed details, those of 0.3 plain ones [a2a-error-1]', async () => {
    expect(await v1().refused('GetTask', { id: 'x' })).toEqual({
      code: -32001,
      message: 'Task not found: x',
      data: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'TASK_NOT_FOUND',
          domain: 'a2a-protocol.org',
          metadata: { kind: 'not_found', retryable: 'false' },
        },
      ],
    })
    expect(await v03().refused('tasks/get', { id: 'x' })).toEqual({
      code: -32001,
      message: 'Task not found: x',
      data: { kind: 'not_found', retryable: false },
    })
  })

  test('whoever has no key is told by the status, too', async () => {
    for (const method of ['SendMessage', 'SendStreamingMessage', 'GetTask']) {
      const { status, json } = await a2aCaller(backend, '1.0', { authorization: '' }).post(method, {
        message: message('x'),
        id: 'x',
      })
      expect({ status, json }).toMatchObject({ status: 401, json: { error: { code: -32000 } } })
    }
  })

  test('too much at once is refused as something that passes', async () => {
    await using small = await daemon({ runsAtOnce: 1 })
    const { call, refused } = a2aCaller(small, '1.0')
    await call('SendMessage', {
      message: message('x', echoing(SLOW)),
      configuration: { returnImmediately: true },
    })
    expect(await refused('SendMessage', { message: message('x', echoing()) })).toMatchObject({
      code: -32000,
      data: [{ metadata: { kind: 'busy', retryable: 'true' } }],
    })
  })
})

describe('JSON-RPC', () => {
  const call = (id: unknown, method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id, method, params })

  test('CACP and A2A go together in a batch, streams do not [a2a-batch-1]', async () => {
    const { status, json } = await backend.post([
      call(1, 'cacp/project/list'),
      call(2, 'message/send', { message: legacyMessage('hi', echoing()) }),
      call(3, 'message/stream', { message: legacyMessage('hi', echoing()) }),
      call(4, 'tasks/get', { id: 'nowhere' }),
      call(5, 'nothing/here'),
      { jsonrpc: '2.0', method: 'message/send', params: {} },
    ])
    expect(status).toBe(200)
    expect(json).toMatchObject([
      { id: 1, result: { projects: expect.any(Array) } },
      { id: 2, result: { kind: 'task', status: { state: 'completed' } } },
      { id: 3, error: { code: -32004, message: expect.stringContaining('batch') } },
      { id: 4, error: { code: -32001 } },
      { id: 5, error: { code: -32601 } },
    ])
    expect(json).toHaveLength(5)
  })

  test('ids of all kinds come back as they were', async () => {
    for (const id of [0, -1, 1.5, '', 'a', null])
      expect((await v03().post('tasks/get', { id: 'x' }, id)).json.id).toBe(id)
    const streamed = await v03().post('message/stream', { message: legacyMessage('x', echoing()) }, 2.5)
    expect(streamed.text).toContain('"id":2.5')
  })

  test('a notification is done and not answered; one that would be a stream is not begun', async () => {
    const asked = legacyMessage('x', echoing())
    const { status, text } = await backend.post({
      jsonrpc: '2.0',
      method: 'message/send',
      params: { message: asked },
    })
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(backend.runs.find('a2a', asked.messageId, OPERATOR)).toBeDefined()
    const streamed = legacyMessage('x', echoing())
    const params = { message: streamed }
    expect((await backend.post({ jsonrpc: '2.0', method: 'message/stream', params })).status).toBe(204)
    expect(backend.runs.find('a2a', streamed.messageId, OPERATOR)).toBeUndefined()
  })
})

test('the audit trail has a line for what starts or ends a task, and for what is refused; none for reads', async () => {
  await using quiet = await daemon()
  const { call, post } = a2aCaller(quiet, '1.0')
  const { task } = await call('SendMessage', { message: message('x', echoing()) })
  await call('GetTask', { id: task.id })
  await post('SendStreamingMessage', { message: message('x', echoing()) })
  await a2aCaller(quiet, '1.0', { authorization: '' }).post('GetTask', { id: task.id })
  const { lines } = await quiet.rpc('cacp/audit/list', { limit: 100 })
  expect(lines).toMatchObject([
    { what: 'GetTask', outcome: 'refused', fault: 'unauthorized', from: '127.0.0.1' },
    { what: 'SendStreamingMessage', outcome: 'allowed', caller: 'operator', requestId: expect.any(String) },
    { what: 'SendMessage', outcome: 'allowed' },
  ])
})

test('a task of an earlier life is kept; one that was at work then has failed for a passing reason', async () => {
  await using quiet = await daemon()
  const { call } = a2aCaller(quiet, '1.0')
  const ended = await call('SendMessage', { message: message('kept', echoing()) })
  const configuration = { returnImmediately: true }
  const atWork = await call('SendMessage', { message: message('x', echoing(SLOW)), configuration })
  await vi.waitFor(async () =>
    expect((await call('GetTask', { id: atWork.task.id })).status.state).toBe('TASK_STATE_WORKING'),
  )
  await quiet.restart()
  expect(await call('GetTask', { id: ended.task.id })).toEqual(ended.task)
  expect(await call('GetTask', { id: atWork.task.id })).toMatchObject({
    status: { state: 'TASK_STATE_FAILED' },
    metadata: { 'urn:cacp:2.0': { failure: { kind: 'interrupted', retryable: true } } },
  })
})
