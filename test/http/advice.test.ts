import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'

/** What keys, tokens and guests are refused, and that the advice which comes with it does what it says. */

let running: TestDaemon
let projectId: string
beforeAll(async () => {
  running = await daemon()
  ;({ projectId } = await running.rpc('cacp/project/create', { name: 'User login', objective: '' }))
})
afterAll(() => running[Symbol.asyncDispose]())

const call = (method: string, params: unknown, headers?: Record<string, string>) =>
  running.post({ jsonrpc: '2.0', id: 1, method, params }, headers)

/** The command between backticks in a sentence, as it would be pasted. */
async function runAsTold(next: string): Promise<string> {
  const [, line = ''] = /`(cacpd [^`]*)`/.exec(next) ?? []
  const asRead = execFileSync('sh', ['-c', `set -- ${line}; printf '%s\\n' "$@"`], { encoding: 'utf8' })
  const [, ...words] = asRead.split('\n').slice(0, -1)
  const { exitCode, out, err } = await cacpd([...words, '--data', running.dataDir, '--json'])
  expect(exitCode, `${line}: ${err}${out}`).toBe(0)
  return out
}

describe('the operator', () => {
  test.each([
    ['cacp/token/revoke', { tokenId: 'none' }],
    ['cacp/invite/withdraw', { inviteId: 'none' }],
    ['cacp/invite/create', { replaces: 'aid://example.com/nobody@1.0.0' }],
    ['cacp/peer/revoke', { agentId: 'aid://example.com/nobody@1.0.0' }],
    ['cacp/run/get', { runId: 'none' }],
    ['cacp/work/get', { workId: 'none' }],
    ['cacp/work/send', { peer: 'nobody', workType: 'echo', parameters: {} }],
  ])('%s of what is not there names the call that lists what is', async (method, params) => {
    const { json } = await call(method, params)
    const { next, call: advised } = json.error.data
    expect(next).toContain(advised.method)
    expect((await call(advised.method, advised.params)).json).toHaveProperty('result')
  })
})

describe('the bearer of a project token', () => {
  const asking = { question: 'JWT or cookies?' }
  const issue = async (permissions: readonly string[], more = {}) =>
    (await running.rpc('cacp/token/issue', { projectId, permissions, ...more })) as {
      token: string
      tokenId: string
    }
  const withToken = (token: string) => ({ Authorization: '', 'X-Project-Token': token })

  test('is told the command for one that allows more, beside what it allowed', async () => {
    const { token } = await issue(['project:read'])
    const refused = await call('cacp/context/askQuestion', asking, withToken(token))
    const { next } = refused.json.error.data
    const issued = JSON.parse(await runAsTold(next)) as { token: string }
    const headers = withToken(issued.token)
    expect((await call('cacp/context/askQuestion', asking, headers)).json.result).toMatchObject({
      status: 'shared',
    })
    expect((await call('cacp/project/get', {}, headers)).json).toHaveProperty('result')
  })

  test.each(['aid://example.com/frontend@1.0.0', "o'brien $(exit 1)"])(
    'is told the command for another one where it was revoked, also as %s',
    async (agentId) => {
      const { token, tokenId } = await issue(['project:read'], { agentId })
      await running.rpc('cacp/token/revoke', { tokenId })
      const refused = await call('cacp/project/get', {}, withToken(token))
      expect(refused.status).toBe(401)
      const issued = JSON.parse(await runAsTold(refused.json.error.data.next)) as {
        token: string
        agentId: string
      }
      expect(issued.agentId).toBe(agentId)
      expect((await call('cacp/project/get', {}, withToken(issued.token))).json).toHaveProperty('result')
    },
  )

  test('may leave out the project, as it is told where it names another one', async () => {
    const { token } = await issue(['project:read'])
    const refused = await call('cacp/project/get', { projectId: 'Other' }, withToken(token))
    expect(refused.json.error.data.next).toMatch(/^Leave projectId out/)
    expect((await call('cacp/project/get', {}, withToken(token))).json.result.name).toBe('User login')
  })
})
