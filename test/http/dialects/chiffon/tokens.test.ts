import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../../src/config/config.ts'
import type { View } from '../../../../src/domain/view.ts'
import { createTokenCheck } from '../../../../src/http/dialects/chiffon/tokens.ts'
import { daemon, type TestDaemon } from '../../../support/daemons/daemon.ts'
import {
  anotherRequest,
  pollUntilEnd,
  postMessage,
  workRequest,
} from '../../../support/dialects/chiffon-client.ts'

const TOKEN = 'a7f3d8c2e1b9f4a6c8e2d1b3f4a6c8e2'
const WRONG = 'b7f3d8c2e1b9f4a6c8e2d1b3f4a6c8e2'
const OWNER = 'aid://example.com/orchestrator@1.0.0'

let running: TestDaemon
let logged = ''
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  running = await daemon({ chiffonTokens: { [OWNER]: TOKEN } }, { log: pino({ level: 'trace' }, sink) })
})
afterAll(() => running[Symbol.asyncDispose]())

describe('a token', () => {
  test.each([
    ['missing', ''],
    ['invalid', `Basic ${TOKEN}`],
    ['invalid', `Bearer ${WRONG}`],
    ['invalid', `Bearer ${TOKEN.slice(1)}`],
  ])(
    'CH-02 that is %s (%j) is 5004, and nothing is done [chiffon-auth-1] [chiffon-error-5]',
    async (token_status, authorization) => {
      const headers = { authorization, 'x-agent-id': OWNER }
      const { status, json, text } = await postMessage(running, workRequest(), headers)
      expect(status).toBe(401)
      expect(json).toMatchObject({
        protocol_version: '1.0',
        type: 'error',
        payload: { error_code: 5004, error_context: { agent_id: OWNER, token_status } },
      })
      expect(text).not.toContain(WRONG)
      expect((await running.rpc('cacp/run/list')).runs).toEqual([])
    },
  )

  test('of 32 characters lets its owner in, at this door only [chiffon-auth-2]', async () => {
    const authorization = `Bearer ${TOKEN}`
    const { json } = await pollUntilEnd(running, workRequest(), { authorization })
    expect(json).toMatchObject({ type: 'work_result', payload: { output: 'hello' } })
    expect((await running.rpc('cacp/run/list')).runs).toMatchObject([{ asked_by: OWNER }])
    expect(
      (await running.post({ jsonrpc: '2.0', id: 1, method: 'cacp/run/list' }, { authorization })).status,
    ).toBe(401)
  })

  test('is refused by the name of nobody where nobody said who it is', async () => {
    const { json } = await postMessage(running, workRequest(), { authorization: '' })
    expect(json.payload.error_context).toEqual({ agent_id: 'unknown', token_status: 'missing' })
  })

  test('is in the audit trail by the beginning of its hash, and what was refused is, too', async () => {
    const authorization = `Bearer ${TOKEN}`
    await postMessage(running, anotherRequest({ work_type: 'nope' }), { authorization })
    const { text } = await running.post({ jsonrpc: '2.0', id: 1, method: 'cacp/audit/list', params: {} })
    expect(text).toContain('POST /api/agent/message')
    expect(text).not.toContain(TOKEN)
  })

  test('tells its owner’s requests from those of others', async () => {
    const message = anotherRequest()
    await pollUntilEnd(running, message, { authorization: `Bearer ${TOKEN}` })
    const other = { ...message, payload: { ...message.payload, parameters: { text: 'mine' } } }
    expect((await pollUntilEnd(running, other)).json.payload.output).toBe('mine')
  })

  test('CH-02 is in no log and no answer', async () => {
    await postMessage(running, '{"a":', { authorization: `Bearer ${TOKEN}` })
    expect(logged).not.toContain(TOKEN)
    expect((await running.fetch('/.well-known/agent.json')).text).not.toContain(TOKEN)
    expect((await running.fetch('/health')).text).not.toContain(TOKEN)
  })

  test.each([
    { [OWNER]: `${TOKEN}0` },
    { [OWNER]: TOKEN, 'aid://example.com/b@1.0.0': TOKEN },
    { nobody: TOKEN },
    TOKEN,
  ])('that is configured wrongly is refused without being shown', async (chiffonTokens) => {
    const env = { CACP_CHIFFON_TOKENS: JSON.stringify(chiffonTokens) }
    const error = await loadConfig({ flags: {}, env, cwd: running.dataDir }).catch((thrown) => thrown)
    expect(error.message).toContain('environment CACP_CHIFFON_TOKENS is malformed, but must be an object')
    expect(error.message).not.toContain(TOKEN)
  })

  test('can come from the environment', async () => {
    const env = { CACP_CHIFFON_TOKENS: JSON.stringify({ [OWNER]: TOKEN }), CACP_CHIFFON_AGENT: 'research' }
    const { chiffonTokens, chiffonAgent } = await loadConfig({ flags: {}, env, cwd: running.dataDir })
    expect({ chiffonTokens, chiffonAgent }).toEqual({
      chiffonTokens: { [OWNER]: TOKEN },
      chiffonAgent: 'research',
    })
  })
})

test.each([
  ['approved', 'backend-api', 'backend-api'],
  ['approved', '', null],
  ['pending', 'backend-api', null],
])(
  'the owner of a token that is a peer, %s and of the repository "%s", speaks for %s',
  (trust, repo_name, repoName) => {
    const peers = new Map([[OWNER, { trust, repo_name }]])
    const check = createTokenCheck({ [OWNER]: TOKEN }, { peers } as unknown as View)
    expect(check({ authorization: `Bearer ${TOKEN}` })).toMatchObject({ agentId: OWNER, repoName })
  },
)
