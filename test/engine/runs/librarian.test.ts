import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import { ChangeLog } from '../../../src/engine/log/change-log.ts'
import { RunError, type Runner } from '../../../src/engine/ports/run-ports.ts'
import { createCheckContract } from '../../../src/engine/runs/check-contract.ts'
import { createLibrarian, createSummary } from '../../../src/engine/runs/librarian.ts'
import { SearchIndex } from '../../../src/engine/search/search-index.ts'
import { createSchemaCheck } from '../../../src/io/runner/schema-check.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import type { RunnerEvent } from '../../../src/protocol/run/event.ts'
import { type Desk, openDesk, openFeature } from '../../support/desk/desk.ts'
import { requestWith } from '../../support/dialects/run-events.ts'
import { OPERATOR, PEER } from '../../support/runs/test-runs.ts'

let desk: Desk
let librarian: Runner
let summary: Runner
let checker: Runner
let contractId: string
let packetId: string

const PROFILE = {
  method: 'GET',
  path: '/api/v1/users/profile',
  response: {
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string', format: 'email' }, paymentIntent: { type: 'string' } },
  },
}

beforeAll(async () => {
  desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  ;({ contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User Profile',
    content: PROFILE,
  }))
  ;({ packetId } = await frontend('cacp/context/askQuestion', {
    projectId,
    question: 'Is Überweisung allowed?',
  }))
  const secret = await backend('cacp/project/create', {
    name: 'Secret Plan',
    objective: 'nobody else may know of the zeppelin',
    visibility: 'members',
  })
  await backend('cacp/contract/propose', {
    projectId: secret.projectId,
    type: 'custom',
    name: 'Zeppelin',
    content: { gas: 'helium' },
  })
  const { store } = desk
  const log = new ChangeLog(store.statements())
  store.onDurable((changes) => log.record(changes))
  const index = new SearchIndex({ store, log, pause: () => new Promise((resolve) => setTimeout(resolve, 0)) })
  librarian = createLibrarian({ store, index })
  summary = createSummary({ store })
  checker = createCheckContract({ store, check: createSchemaCheck() })
})
afterAll(() => desk[Symbol.asyncDispose]())

interface Told {
  text: string
  events: RunnerEvent[]
  output: unknown
}

async function run(
  runner: Runner,
  question: string,
  parameters: JsonObject = {},
  asker: Caller = OPERATOR,
): Promise<Told> {
  const events: RunnerEvent[] = []
  const { output } = await runner.run(
    requestWith({
      messages: question === '' ? [] : [{ role: 'user', content: [{ type: 'text', text: question }] }],
      parameters,
    }),
    {
      runId: 'run',
      attempt: 1,
      asker,
      signal: new AbortController().signal,
      emit: async (event) => void events.push(event),
      history: async () => [],
    },
  )
  const text = events.map((event) => (event.type === 'text' ? event.delta : '')).join('')
  return { text, events, output }
}

const sourcesOf = ({ events }: Told) =>
  events.flatMap((event) => (event.type === 'citation' ? [event.uri] : []))

describe('the librarian', () => {
  test('says how the project stands: contracts, who waits for whom, open questions', async () => {
    const told = await run(librarian, 'What is the status of the project?')
    expect(told.text).toContain('Project User Auth Feature is planning.')
    expect(told.text).toContain('1 contract: 1 proposed (Get User Profile)')
    expect(told.text).toContain('Get User Profile (proposed, version 1) waits for frontend-app to answer it.')
    expect(told.text).toContain('frontend-app asks: Is Überweisung allowed?')
    expect(sourcesOf(told)).toEqual(
      expect.arrayContaining([`cacp:contract/${contractId}`, `cacp:packet/${packetId}`]),
    )
    expect(told.events.filter(({ type }) => type === 'text').length).toBeGreaterThan(3)
  })

  test.each([
    ['words of its name', 'Where is the user profile described?'],
    ['a part of a name in code', 'which endpoint has an intent?'],
    ['a path', '/api/v1/users/profile'],
    ['a word with a slip', 'the profil endpoint'],
  ])('finds a contract by %s, cites it and hands it over', async (_how, question) => {
    const told = await run(librarian, question)
    expect(told.text).toContain('Contract Get User Profile (api_endpoint, version 1)')
    expect(sourcesOf(told)).toContain(`cacp:contract/${contractId}`)
    expect(told.events.at(-1)).toMatchObject({
      type: 'artifact',
      artifact_id: contractId,
      mime_type: 'application/json',
      data: { contract_id: contractId, content: PROFILE, status: 'proposed' },
    })
  })

  test('finds words without their accents', async () => {
    expect(sourcesOf(await run(librarian, 'uberweisung'))).toContain(`cacp:packet/${packetId}`)
  })

  test('quotes where in its text each source is', async () => {
    const { text, events } = await run(librarian, 'user profile')
    const citation = events.find((event) => event.type === 'citation')
    const [start, end] = citation?.type === 'citation' ? (citation.indices ?? [0, 0]) : [0, 0]
    expect(text.slice(start, end)).toMatch(/^Contract Get User Profile/)
  })

  test('tells nobody of a project that they may not see', async () => {
    expect((await run(librarian, 'zeppelin')).text).toContain('Contract Zeppelin')
    const stranger = await run(librarian, 'zeppelin', {}, PEER)
    expect(stranger.text).toContain('Nothing here mentions zeppelin')
    const standing = await run(librarian, 'What is the status?', {}, PEER)
    expect(JSON.stringify([stranger, standing])).not.toMatch(/Secret|helium|Zeppelin/)
    const named = await run(summary, '', { project: 'Secret Plan' }, PEER)
    expect(named.text).toBe('There is no such project here that you may see.')
  })

  test('sees what changed since it was asked before', async () => {
    const { projectId } = await desk.call('cacp/project/create', {
      name: 'Fresh',
      objective: 'brand-new gizmo',
    })
    expect(sourcesOf(await run(librarian, 'gizmo'))).toEqual([`cacp:project/${projectId}`])
  })

  test('looks for as many words as a question has, and not for those of a book', async () => {
    const book = Array.from({ length: 20_000 }, (_, index) => `words${index}`).join(' ')
    const begun = performance.now()
    expect(sourcesOf(await run(librarian, `user profile ${book}`))).toContain(`cacp:contract/${contractId}`)
    expect(performance.now() - begun).toBeLessThan(500)
  })

  test('tells what was shared as one would read it out, without what was left empty', async () => {
    const { projectId } = await desk.call('cacp/project/create', { name: 'Payments', objective: 'Get paid' })
    await desk.call('cacp/context/recordDecision', {
      projectId,
      decision: 'Ledger',
      chosen: 'double entry',
      rationale: '',
      implications: ['two rows', 'no floats'],
    })
    const { text, events } = await run(librarian, 'ledger')
    const said = 'decision: Ledger; chosen: double entry; implications: two rows, no floats'
    expect(text.split('\n')[0]).toMatch(
      new RegExp(`^\\S+ shared in project Payments \\(decision, .*\\): ${said}$`),
    )
    expect(events.find(({ type }) => type === 'citation')).toMatchObject({ text: said })
    expect((await run(librarian, 'How far is Payments?')).text).toContain(
      'is planning. Objective: Get paid. ',
    )
  })

  test.each(['query', 'question', 'prompt', 'text'])('takes no number for a question: %s', async (key) => {
    await expect(run(librarian, '', { [key]: 7 })).rejects.toMatchObject({
      problem: { kind: 'invalid_params', data: { field: `parameters.${key}` } },
    })
  })

  test('says so when nothing fits, and what there is instead', async () => {
    expect((await run(librarian, 'Where is the unobtainium?')).text).toMatch(
      /^Nothing here mentions unobtainium\. .*User Auth Feature/,
    )
  })
})

describe('a summary', () => {
  test('is of the project that is named, as text and as data', async () => {
    const { text, output } = await run(summary, '', { project: 'User Auth Feature' })
    expect(text).toMatch(/^Project User Auth Feature is planning/)
    expect(output).toMatchObject({
      projects: [
        { status: 'planning', contracts: { proposed: 1 }, waiting: [{ waits_for: ['frontend-app'] }] },
      ],
    })
    expect(text).not.toContain('Secret')
  })
})

describe('what breaks', () => {
  const ME = { method: 'GET', path: '/me', response: { id: 'uuid', email: 'email' }, errors: { 401: {} } }
  const GONE = { ...ME, response: { id: 'uuid' } }
  let me: string
  let projectId: string

  beforeAll(async () => {
    const { backend, frontend, ...feature } = await openFeature(desk)
    projectId = feature.projectId
    const propose = { projectId, type: 'api_endpoint', content: ME } as const
    me = (await backend('cacp/contract/propose', { ...propose, name: 'Own Account' })).contractId
    await frontend('cacp/contract/respond', { projectId, contractId: me, action: 'agree' })
    await backend('cacp/contract/propose', { ...propose, name: 'Never Agreed' })
  })

  test('of a contract in force of which no change is proposed, nothing', async () => {
    const told = await run(librarian, 'What breaks if Own Account changes?')
    expect(told.text).toContain(
      'Version 1 of contract Own Account is in force, and no change of it is proposed',
    )
  })

  test('of content that is given, in the question or beside it', async () => {
    const inText = await run(librarian, `what breaks if own account becomes ${JSON.stringify(GONE)}?`)
    const beside = await run(librarian, 'is this compatible?', { contract: 'Own Account', content: GONE })
    for (const told of [inText, beside]) {
      expect(told.text).toMatch(
        /^This content as a change of contract Own Account is breaking: 1 change against version 1 \(http\)\.\n- It breaks frontend-app: response\.200\.body\.email: /,
      )
      expect(told.text).toContain('Rollout: consumers have to go first')
      expect(sourcesOf(told)).toEqual([`cacp:contract/${me}`])
      expect(told.output).toMatchObject({
        contracts: [
          { contract_id: me, review: { verdict: 'breaking', changes: [{ kind: 'property-removed' }] } },
        ],
      })
    }
  })

  test('of what is proposed, by the name of the contract or without any', async () => {
    await desk.call('cacp/contract/update', { projectId, contractId: me, content: GONE })
    const line = 'Version 2 of contract Own Account, which backend-api proposes, is breaking: 1 change'
    expect((await run(librarian, 'What breaks if Own Account is agreed?')).text).toContain(line)
    expect((await run(librarian, 'What breaks if Own Account drops the role?')).text).toContain(
      'This is about what is proposed: for any other change, name the content',
    )
    const all = await run(librarian, 'What breaks?', { projectId })
    expect(all.text).toContain(line)
    expect(all.text).not.toContain('Never Agreed')
  })

  test('of what was never agreed, nothing', async () => {
    expect((await run(librarian, 'does a change of Never Agreed break anybody?')).text).toBe(
      'Nothing of contract Never Agreed was ever agreed, so that a change of it breaks nobody.',
    )
  })

  test('is told only to whoever may see the contract', async () => {
    expect((await run(librarian, 'What breaks if Zeppelin changes?', {}, PEER)).text).not.toContain(
      'Zeppelin is',
    )
  })
})

describe('a check of a payload', () => {
  const check = (payload: unknown, more: JsonObject = {}, asker = OPERATOR) =>
    run(checker, '', { contractId, payload, ...more } as JsonObject, asker)
  const problemOf = (told: Promise<Told>) =>
    told.then(
      () => undefined,
      (error: unknown) => (error instanceof RunError ? error.problem : error),
    )

  test('says whether it fits the contract, and what does not', async () => {
    expect((await check({ email: 'a@example.com' })).output).toMatchObject({ valid: true, errors: [] })
    const { output, text } = await check({ email: 'none', paymentIntent: 5 })
    expect(output).toMatchObject({ valid: false, errors: [expect.any(String), expect.any(String)] })
    expect(text).toContain('/paymentIntent must be string')
  })

  test('needs a contract that the asker may see, and a schema in it', async () => {
    expect(await problemOf(check({}, { contractId: 'none' }))).toMatchObject({ kind: 'not_found' })
    expect(await problemOf(check({}, { part: 'path' }))).toMatchObject({
      kind: 'invalid_params',
      data: { field: 'parameters.part' },
    })
    expect(await problemOf(run(checker, '', { contractId }))).toMatchObject({
      message: 'parameters.payload is required',
    })
  })

  test('takes the name of a contract for its ID, unless several are called so', async () => {
    const { projectId, backend } = await openFeature(desk)
    const propose = (name: string) =>
      backend('cacp/contract/propose', { projectId, type: 'api_endpoint', name, content: PROFILE })
    const { contractId: id } = await propose('Show Profile')
    const payload = { email: 'a@example.com' }
    expect((await check(payload, { contractId: 'Show Profile' })).output).toMatchObject({
      valid: true,
      contract_id: id,
    })
    await propose('Get User Profile')
    expect(await problemOf(check(payload, { contractId: 'Get User Profile' }))).toMatchObject({
      message: 'parameters.contractId is the name of several contracts: give the ID of one',
    })
  })

  test('reads contracts as their review does: type words, several parts, words that nobody knows', async () => {
    const { projectId, backend } = await openFeature(desk)
    const propose = (name: string, content: JsonObject) =>
      backend('cacp/contract/propose', { projectId, type: 'api_endpoint', name, content })
    const informal = await propose('Rename', {
      method: 'PUT',
      path: '/me',
      request: { name: 'string' },
      response: { id: 'integer', shape: 'whatever fits' },
    })
    expect(await problemOf(check({}, informal))).toMatchObject({
      message: 'parameters.part is required: one of "request.body", "response.200.body"',
    })
    const wrong = await check({ name: 5 }, { ...informal, part: 'request.body' })
    expect(wrong.text).toContain('does not fit request.body in version 1 of contract Rename')
    const right = await check({ id: 1, shape: [] }, { ...informal, part: 'response.200.body' })
    expect(right.output).toMatchObject({
      valid: true,
      part: 'response.200.body',
      unchecked: ['response.200.body.shape'],
    })
    expect(right.text).toContain('response.200.body.shape was not checked')
    const opaque = await propose('Opaque', { anything: 1 })
    expect(await problemOf(check({}, opaque))).toMatchObject({
      message:
        'parameters.part is required: nothing in the contract says what is sent; name the path of a schema in its content',
    })
  })

  const never = new AbortController().signal

  test('follows no reference to elsewhere', async () => {
    const schema = { $ref: 'https://example.com/schema.json' }
    await expect(createSchemaCheck()(schema, {}, never)).rejects.toMatchObject({
      problem: { kind: 'invalid_params', message: expect.stringContaining('example.com') },
    })
  })

  test('ends a pattern that takes for ever, while others are served', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$' }
    const begun = performance.now()
    await expect(
      createSchemaCheck({ millis: 500 })(schema, `${'a'.repeat(40)}!`, never),
    ).rejects.toMatchObject({
      problem: { kind: 'timeout' },
    })
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  test('says what does not fit in few words, however long the schema and the payload are', async () => {
    const schema = { additionalProperties: { pattern: `^${'a'.repeat(10_000)}$` } }
    const keys = Array.from({ length: 30 }, (_, index) => [`${'k'.repeat(10_000)}${index}`, 'b'])
    const { valid, errors } = await createSchemaCheck()(schema, Object.fromEntries(keys), never)
    expect({ valid, count: errors.length }).toEqual({ valid: false, count: 20 })
    expect(Math.max(...errors.map(({ length }) => length))).toBeLessThan(1000)
  })

  test('refuses what is too large', async () => {
    await expect(createSchemaCheck()({}, 'x'.repeat(600_000), never)).rejects.toMatchObject({
      problem: { kind: 'invalid_params' },
    })
  })
})
