import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { hook } from '../../src/cli/setup/hook.ts'
import { selfSigned } from '../../src/io/identity/self-signed.ts'
import { readEndpoint, rememberEndpoint } from '../../src/io/place/data-dir.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { folderWith } from '../support/folders/folder.ts'

const LOCAL = { names: ['127.0.0.1'], from: new Date(0), until: new Date('2100-01-01T00:00:00Z') }
const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }

async function printed({ dataDir }: TestDaemon, words: string): Promise<string> {
  let out = ''
  await hook(words.split(' '), {
    cwd: '/',
    env: {},
    readInput: async () => JSON.stringify({ session_id: 's1', cwd: dirname(dataDir) }),
    print: (output) => {
      out += output
    },
    patienceMillis: 20_000,
  })
  return out
}

/** A frontend beside this backend, which can propose contracts to it. */
async function frontendAt(backend: TestDaemon) {
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'User Auth', objective: 'o' })
  const repo = { projectId, name: 'frontend-app', role: 'frontend', language: 'typescript' }
  await backend.rpc('cacp/project/addRepo', repo)
  await backend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
  return (name: string) =>
    backend.rpc('cacp/contract/propose', { projectId, type: 'custom', name, content: {} }, FRONTEND)
}

test.each(['in clear', 'over TLS'])(
  'a hook beside a daemon that is called %s tells each thing once',
  async (how) => {
    await using folder = await folderWith({ 'tls.pem': selfSigned(LOCAL) })
    const tls = { tlsCert: folder.at('tls.pem'), tlsKey: folder.at('tls.pem') }
    await using backend = await daemon(how === 'over TLS' ? tls : {})
    expect(backend.url).toMatch(how === 'over TLS' ? /^https:/ : /^http:/)
    const propose = await frontendAt(backend)
    expect(await printed(backend, 'claude SessionStart')).toContain('project «User Auth»')
    expect(await printed(backend, 'claude UserPromptSubmit')).toBe('')

    await propose('Get «User» Profile')
    const first = JSON.parse(await printed(backend, 'claude UserPromptSubmit'))
    expect(first.hookSpecificOutput.additionalContext).toMatch(/^- contract «Get "User" Profile» version 1 /m)
    for (const event of ['UserPromptSubmit', 'Stop'])
      expect(await printed(backend, `claude ${event}`)).toBe('')

    await propose('Log In')
    const stop = JSON.parse(await printed(backend, 'claude Stop'))
    expect(stop).toEqual({
      decision: 'block',
      reason: expect.stringMatching(/^One item .+\n- answer_contract: «Log In»/),
    })
    expect(await printed(backend, 'claude Stop')).toBe('')
    expect(await printed(backend, 'claude UserPromptSubmit')).toContain('«Log In»')
    expect(await printed(backend, 'claude UserPromptSubmit')).toBe('')
  },
)

test('a hook does not send the key to one that shows another certificate', async () => {
  await using folder = await folderWith({ 'tls.pem': selfSigned(LOCAL) })
  const tls = { tlsCert: folder.at('tls.pem'), tlsKey: folder.at('tls.pem') }
  await using backend = await daemon(tls)
  await (await frontendAt(backend))('Log In')
  const endpoint = await readEndpoint(backend.dataDir)
  if (endpoint === undefined) throw new Error('no endpoint')
  await rememberEndpoint(backend.dataDir, { ...endpoint, certificate: 'f'.repeat(64) })
  expect(await printed(backend, 'claude SessionStart')).toBe('')
  await rememberEndpoint(backend.dataDir, endpoint)
  expect(await printed(backend, 'claude SessionStart')).toContain('«Log In»')
})
