import { describe, expect, test, vi } from 'vitest'
import type { AgentSettings } from '../../src/protocol/agent/settings.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { newcomer } from '../support/daemons/newcomer.ts'
import { node } from '../support/daemons/scripts.ts'
import { a2a, a2aLegacy } from '../support/dialects/a2a.ts'
import { type DialectAdapter, PLAYER, question, type Told } from '../support/dialects/adapter.ts'
import { agentApi } from '../support/dialects/agent-api.ts'
import { cap } from '../support/dialects/cap.ts'
import { chiffon } from '../support/dialects/chiffon.ts'
import { coreason } from '../support/dialects/coreason.ts'
import { ODD_TEXT } from '../support/dialects/run-events.ts'
import { OPERATOR } from '../support/runs/test-runs.ts'

/** Every dialect over the one run core: an adapter each, and all of them the same. */
const DIALECTS: readonly DialectAdapter[] = [a2a, a2aLegacy, agentApi, cap, chiffon, coreason]

const playing = () => daemon({ agent: PLAYER, runUnwatchedSeconds: 1 })

/** An agent that says something and then nothing, and does not stop when it is asked to. */
const STUBBORN: AgentSettings = {
  ...PLAYER,
  command: node(`
    process.on('SIGTERM', () => {})
    console.log(JSON.stringify({ type: 'text', delta: 'so far' }))
    setTimeout(() => {}, 60_000)
  `),
}

const textOf = (told: readonly Told[]): string =>
  told.map((one) => (one.type === 'delta' ? one.text : '')).join('')

const runsOf = ({ runs }: TestDaemon) => runs.list({}, OPERATOR)

/** Once, first and last; and between them only deltas. */
function expectWhole(told: readonly Told[], status: Extract<Told, { type: 'terminal' }>['status']): void {
  const types = told.map(({ type }) => type)
  expect(types.filter((type) => type === 'started')).toHaveLength(1)
  expect(types[0]).toBe('started')
  expect(types.filter((type) => type === 'terminal')).toHaveLength(1)
  expect(told.at(-1)).toMatchObject({ type: 'terminal', status })
}

describe.each(DIALECTS)('$name', (dialect) => {
  test('starts once, ends once, and says nothing after the end', async () => {
    await using backend = await playing()
    const told = await dialect.ask(backend, question({ say: ['Hello', ', ', 'world'] }))
    expectWhole(told, 'completed')
    expect(textOf(told)).toBe('Hello, world')
    expect(runsOf(backend)).toHaveLength(1)
  })

  test.each([
    ['breaks of lines and words of the framing', [ODD_TEXT]],
    ['characters that come in several deltas', ['👩', '\u200d', '💻 e', '\u0301']],
    ['deltas that are nothing but a break', ['\n', '\r\n', '\n\n', ' ', 'data: ']],
    ['many deltas', Array.from({ length: 500 }, (_, index) => `${index} `)],
  ])('brings the text as it was said: %s', async (_, say) => {
    await using backend = await playing()
    const told = await dialect.ask(backend, question({ say }))
    expectWhole(told, 'completed')
    expect(textOf(told)).toBe(say.join(''))
    const end = told.at(-1)
    if (end?.type === 'terminal' && end.text !== undefined) expect(end.text).toBe(say.join(''))
  })

  test('ends for a peer that is revoked, and so does what it asked for, whose agent takes its time', async () => {
    const mobile = await newcomer('mobile')
    await using backend = await daemon({ agent: { ...STUBBORN, allow: [mobile.agentId] } })
    const { url } = await backend.rpc('cacp/invite/create', {})
    const { body } = await mobile.pair(url)
    const told: Told[] = []
    const hear = (one: Told) => {
      if (one.type === 'delta') void backend.rpc('cacp/peer/revoke', { agentId: mobile.agentId })
      told.push(one)
    }
    await dialect.ask({ ...backend, key: String(body['apiKey']) }, 'anything', { hear }).catch(() => {})
    expect(told.some(({ type }) => type === 'delta')).toBe(true)
    // It did not wait for the agent, which does not stop when it is told to, and so heard nothing of how that ended.
    expect(told.some((one) => one.type === 'terminal' && one.status === 'canceled')).toBe(false)
    await vi.waitFor(() => expect(runsOf(backend)).toMatchObject([{ status: 'canceled' }]), 20_000)
  }, 30_000)

  test('refuses what is wrong in JSON that names the field, and nothing runs', async () => {
    await using backend = await playing()
    const { status, json, text } = await dialect.askWrongly(backend, {})
    expect(String(status)).toMatch(dialect.refusesInBody === true ? /^200$/ : /^4\d\d$/)
    expect(json).toBeTypeOf('object')
    expect(text).toContain(dialect.wrongField)
    expect(text).not.toMatch(/\bat .*:\d+|node:|\/src\//)
    expect(runsOf(backend)).toEqual([])
  })

  test('refuses whoever has no key with 401 and JSON', async () => {
    await using backend = await playing()
    const { status, json } = await dialect.askWrongly(backend, { authorization: '' })
    expect(status).toBe(401)
    expect(json).toBeTypeOf('object')
  })

  test('tells a failure after the first words as the end, and nothing of the inside', async () => {
    await using backend = await playing()
    const told = await dialect.ask(backend, question({ say: ['one', 'two'], ending: 'failure' }))
    expectWhole(told, 'failed')
    expect(textOf(told)).toBe('onetwo')
    expect(JSON.stringify(told)).not.toContain('secret')
  })

  test('ends for its reader when the run is canceled from elsewhere', async () => {
    await using backend = await playing()
    const told = await dialect.ask(backend, question({ say: ['wait'], ending: 'silence' }), {
      hear: ({ type }) => {
        if (type !== 'delta') return
        const [run] = runsOf(backend)
        backend.rpc('cacp/run/cancel', { runId: run?.run_id }).catch(() => {})
      },
    })
    expect(told.filter(({ type }) => type === 'terminal')).toHaveLength(1)
    expect(told.at(-1)).toMatchObject({ status: expect.stringMatching(/^(?:canceled|failed)$/) })
    expect(runsOf(backend)).toMatchObject([{ status: 'canceled' }])
  })

  test('keeps two streams apart', async () => {
    await using backend = await playing()
    const many = (word: string) => Array.from({ length: 200 }, () => word)
    const [first, second] = await Promise.all(
      ['a', 'b'].map((word) => dialect.ask(backend, question({ say: many(word) }))),
    )
    expect(textOf(first ?? [])).toBe('a'.repeat(200))
    expect(textOf(second ?? [])).toBe('b'.repeat(200))
  })

  test(`does without a reader that leaves: the run ${dialect.unread === 'canceled' ? 'is canceled' : 'goes on'}`, async () => {
    await using backend = await playing()
    const leaving = new AbortController()
    await dialect
      .ask(backend, question({ say: ['one'], ending: 'silence' }), {
        signal: leaving.signal,
        hear: ({ type }) => {
          if (type === 'delta') leaving.abort()
        },
      })
      .catch(() => {})
    if (dialect.unread === 'canceled')
      await vi.waitFor(() => expect(runsOf(backend)).toMatchObject([{ status: 'canceled' }]), 10_000)
    else expect(runsOf(backend)).toMatchObject([{ status: 'in_progress' }])
    const told = await dialect.ask(backend, question({ say: ['two'] }))
    expect(textOf(told)).toBe('two')
  })
})
