import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cacpd } from './cli/captured-terminal.ts'
import type { TestDaemon } from './support/daemons/daemon.ts'
import { agentAt, ERAS } from './support/daemons/mcp.ts'
import { type PackageCopy, packageCopy } from './support/daemons/package-copy.ts'
import { type DaemonProcess, startProcess } from './support/daemons/process.ts'
import { rpcTo } from './support/daemons/rpc-to.ts'
import { a2a, a2aLegacy } from './support/dialects/a2a.ts'
import { a2aCaller, EXTENSION, message } from './support/dialects/a2a-client.ts'
import { agentApi } from './support/dialects/agent-api.ts'
import { cap } from './support/dialects/cap.ts'
import { chiffon } from './support/dialects/chiffon.ts'
import { coreason } from './support/dialects/coreason.ts'
import { type Folder, folderWith } from './support/folders/folder.ts'

const PATIENT = { timeout: 60_000, interval: 100 }
/** The SHA-256 of `hello`. */
const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
const BEFORE = '0.0.1'
const LOADED = 'every part of the program is loaded'

/** Each is met for the first time when the package is gone. */
describe('daemons whose package is taken away while they run', () => {
  let installed: PackageCopy
  let folder: Folder
  let backend: DaemonProcess
  let frontend: DaemonProcess

  beforeAll(async () => {
    installed = await packageCopy(BEFORE)
    folder = await folderWith({ 'backend/': '', 'frontend/': '' })
    const start = (repo: string) => {
      const flags = ['--repo', repo, '--port', '0', '--log-level', 'debug']
      return startProcess(folder.at(join(repo, '.cacp')), flags, { launcher: installed.launcher })
    }
    backend = await start('backend')
    frontend = await start('frontend')
    for (const { log } of [backend, frontend])
      await vi.waitFor(() => expect(log()).toContain(LOADED), PATIENT)
    await installed.remove()
  }, 120_000)

  afterAll(async () => {
    // One that does not end by itself is ended all the same.
    for (const daemon of [backend, frontend]) await daemon.stop('SIGKILL')
    await folder[Symbol.asyncDispose]()
    await installed[Symbol.asyncDispose]()
  })

  const asTested = () => ({ url: backend.url, key: backend.key }) as TestDaemon
  const create = (name: string) => rpcTo(backend, 'cacp/project/create', { name, objective: 'o' })

  test.each(ERAS)('a client of MCP %s has its tools', async (era) => {
    await using agent = await agentAt(asTested(), era)
    expect(await agent.use('project', { action: 'create', name: `By ${era}`, objective: 'o' })).toMatch(
      /^project /,
    )
    expect(await agent.use('brief')).toBeTypeOf('string')
  })

  test.each([a2a, a2aLegacy, agentApi, cap, chiffon, coreason])('$name is answered', async ({ ask }) => {
    const told = await ask(asTested(), 'What was agreed?')
    expect(told.at(-1)).toMatchObject({ type: 'terminal', status: 'completed' })
  })

  test.each(['/openapi.json', '/openrpc.json', '/methods', '/.well-known/agent-card.json', '/health'])(
    '%s is there',
    async (path) => {
      const reply = await request(`${backend.url}${path}`, {
        headers: { authorization: `Bearer ${backend.key}` },
      })
      expect(await reply.body.json()).toBeTypeOf('object')
      expect(reply.statusCode).toBe(200)
    },
  )

  test('two are paired, and a file goes from one to the other', async () => {
    const { projectId } = await create('Shared')
    const { url } = await rpcTo(backend, 'cacp/invite/create', { project: projectId })
    await rpcTo(frontend, 'cacp/peer/join', { url })
    const file = { name: 'a.txt', content: 'aGVsbG8=' }
    await rpcTo(backend, 'cacp/file/share', { projectId, file })
    const fetched = async () => {
      const headers = { authorization: `Bearer ${frontend.key}` }
      return (await request(`${frontend.url}/files/${HELLO}`, { headers })).body.text()
    }
    await expect.poll(fetched, PATIENT).toBe('hello')
  })

  test('what is loaded anew for every use says that the daemon has to be started anew', async () => {
    const { projectId } = await create('Checked')
    const content = { schema: { type: 'object', required: ['name'] } }
    const proposal = { projectId, type: 'data_model', name: 'User', content }
    const { contractId } = await rpcTo(backend, 'cacp/contract/propose', proposal)
    const parameters = { contractId, payload: {} }
    const asked = { metadata: { [EXTENSION]: { workType: 'check_contract', parameters } } }
    const told = await a2aCaller(asTested(), '1.0').stream('SendStreamingMessage', {
      message: message('Does it fit?', asked),
    })
    expect(JSON.stringify(told.at(-1))).toContain('start the daemon anew')
  })

  test.each([['status'], ['up', '-d'], ['doctor']])(
    '`cacpd %s` of the next version says that the daemon is to be started anew',
    async (...words) => {
      const data = folder.at('backend/.cacp')
      const { out, err } = await cacpd([...words, '--data', data], { cwd: folder.path })
      expect(`${out}${err}`).toMatch(
        /It is version 0\.0\.1, and this is .*\n.*`cacpd down`, then `cacpd up -d`/,
      )
    },
  )

  test('one is ended in order', async () => {
    expect(await frontend.stop('SIGTERM')).toBe(0)
  })
})
