import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageRequest,
  SubscribeToTaskRequest,
  type Task,
  TaskState,
} from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { echoing, message } from '../../support/dialects/a2a-client.ts'
import { ODD_TEXT } from '../../support/dialects/run-events.ts'

const legacyCompat = { enabled: true }

function factoryFor({ key }: TestDaemon) {
  const fetchImpl: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${key}`)
    return fetch(url, { ...init, headers })
  }
  return new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
    }),
  )
}

/** What a reader of version 0.3 sees of the card. */
async function legacyClient(backend: TestDaemon): Promise<Client> {
  const { json } = await backend.fetch('/.well-known/agent-card.json', { headers: { authorization: '' } })
  const { supportedInterfaces: _, securityRequirements: __, ...legacy } = json
  return factoryFor(backend).createFromAgentCard(legacy)
}

const asking = (text: string, parameters: object = {}, configuration?: object) =>
  SendMessageRequest.fromJSON({ message: message(text, echoing(parameters)), configuration })

const textOf = ({ artifacts }: Pick<Task, 'artifacts'>): string =>
  artifacts
    .flatMap(({ parts }) => parts)
    .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
    .join('')

describe.each([
  ['1.0', (backend: TestDaemon) => factoryFor(backend).createFromUrl(backend.url)],
  ['0.3', legacyClient],
])('the client of the SDK, version %s', (version, connect) => {
  test('finds out from the card what to speak, sends a message and gets its task [a2a-card-1]', async () => {
    await using backend = await daemon()
    const client = await connect(backend)
    expect(client.protocolVersion).toBe(version)
    const task = (await client.sendMessage(asking(ODD_TEXT))) as Task
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(textOf(task)).toBe(ODD_TEXT)
    const got = await client.getTask(GetTaskRequest.fromJSON({ id: task.id }))
    expect(textOf(got)).toBe(ODD_TEXT)
    expect(got.history).toMatchObject([{ contextId: task.contextId, taskId: task.id }])
  })

  test('streams', async () => {
    await using backend = await daemon()
    const client = await connect(backend)
    let text = ''
    const cases: (string | undefined)[] = []
    const states: (TaskState | undefined)[] = []
    for await (const { payload } of client.sendMessageStream(asking(ODD_TEXT, { repeat: 3 }))) {
      cases.push(payload?.$case)
      if (payload?.$case === 'artifactUpdate' && payload.value.artifact !== undefined)
        text += textOf({ artifacts: [payload.value.artifact] })
      if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state)
    }
    expect(cases[0]).toBe('task')
    expect(text).toBe(ODD_TEXT.repeat(3))
    expect(states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED])
  })

  test('subscribes, and cancels', async () => {
    await using backend = await daemon()
    const client = await connect(backend)
    const slow = asking('x', { repeat: 100, delay_ms: 10_000 }, { returnImmediately: true })
    const { id } = (await client.sendMessage(slow)) as Task
    const states: (TaskState | undefined)[] = []
    for await (const { payload } of client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }))) {
      if (payload?.$case === 'task') client.cancelTask(CancelTaskRequest.fromJSON({ id })).catch(() => {})
      if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state)
    }
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED)
    await expect(client.cancelTask(CancelTaskRequest.fromJSON({ id: 'nowhere' }))).rejects.toMatchObject({
      name: 'TaskNotFoundError',
    })
  })
})

test('the client of the SDK lists tasks, and knows our errors', async () => {
  await using backend = await daemon()
  const client = await factoryFor(backend).createFromUrl(backend.url)
  const sent = (await client.sendMessage(asking('one'))) as Task
  const { tasks, totalSize } = await client.listTasks(ListTasksRequest.fromJSON({ includeArtifacts: true }))
  expect({ totalSize, texts: tasks.map(textOf) }).toEqual({ totalSize: 1, texts: ['one'] })
  await expect(client.cancelTask(CancelTaskRequest.fromJSON({ id: sent.id }))).rejects.toMatchObject({
    name: 'TaskNotCancelableError',
  })
})

describe('the card', () => {
  const NO_KEY = { authorization: '' }

  test('tells readers of either version all they need [a2a-card-1] [a2a-card-2]', async () => {
    await using backend = await daemon()
    const { status, json, headers } = await backend.fetch('/.well-known/agent-card.json', { headers: NO_KEY })
    expect(status).toBe(200)
    expect(String(headers['vary']).toLowerCase()).toContain('a2a-version')
    const { url } = backend
    expect(json).toMatchObject({
      name: 'CACP Agent (backend-api)',
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      url,
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      capabilities: {
        streaming: true,
        pushNotifications: false,
        extensions: [{ uri: 'urn:cacp:2.0', required: false, params: { repo: 'backend-api' } }],
      },
      securitySchemes: { bearer: { type: 'http', httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      security: [{ bearer: [] }],
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
      defaultInputModes: ['text/plain', 'application/json'],
    })
    expect(json.skills.map(({ id }: { id: string }) => id)).toContain('answer_question')
    for (const skill of json.skills)
      expect(skill).toMatchObject({
        name: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        tags: expect.arrayContaining(['backend']),
      })
  })

  test('of an open daemon demands no key, in either version', async () => {
    await using open = await daemon({ open: true })
    const cardFor = (headers: Record<string, string>) =>
      open.fetch('/.well-known/agent-card.json', { headers: { ...NO_KEY, ...headers } })
    expect((await cardFor({})).json).toMatchObject({ security: [], securityRequirements: [] })
    expect((await cardFor({ 'a2a-version': '1.0' })).json.securityRequirements).toEqual([])
  })

  test('has nothing of 0.3 for whoever names 1.0', async () => {
    await using backend = await daemon()
    const { json } = await backend.fetch('/.well-known/agent-card.json', {
      headers: { ...NO_KEY, 'a2a-version': '1.0' },
    })
    expect(json).not.toHaveProperty('url')
    expect(json.securitySchemes.bearer).not.toHaveProperty('type')
  })

  test('does not name work that only some may ask for', async () => {
    await using backend = await daemon({
      agent: {
        command: ['true'],
        output: 'text',
        commands: { secret_work: ['true'] },
        allow: [],
        concurrency: 1,
      },
    })
    const { text } = await backend.fetch('/.well-known/agent-card.json')
    expect(text).not.toContain('secret_work')
  })
})
