import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }
const RUN = [{ kind: 'run', command: 'npm run e2e', exitCode: 0 }]

let running: TestDaemon
let root: string
let target: { projectId: string; contractId: string }

/** Both sides of a contract, agreed, built and verified; the backend has a repository of its own. */
beforeAll(async () => {
  running = await daemon()
  root = dirname(running.dataDir)
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'src/user.py'), 'def get(): ...')
  const repos = ['backend-api', 'frontend-app'].map((name) => ({ name }))
  const { projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
  await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
  const content = { method: 'GET', path: '/users/me', response: { id: 'string' } }
  const proposal = { projectId, type: 'api_endpoint', name: 'Get User', content }
  const { contractId } = await running.rpc('cacp/contract/propose', proposal)
  target = { projectId, contractId }
  await running.rpc('cacp/contract/respond', { ...target, action: 'agree' }, FRONTEND)
  for (const [headers, file] of [[{}, 'src/user.py'] as const, [FRONTEND, 'src/user.ts'] as const]) {
    await running.rpc('cacp/implementation/start', target, headers)
    await running.rpc('cacp/implementation/complete', { ...target, files: [file] }, headers)
  }
})
afterAll(() => running[Symbol.asyncDispose]())

const ask = (...words: string[]) => cacpd(['can-i-merge', ...words], { cwd: root })
const verify = () =>
  running.rpc('cacp/implementation/verify', { ...target, result: 'success', evidence: RUN }, FRONTEND)

describe('cacpd can-i-merge', () => {
  test('exits with 3 while nobody verified it, and says who can', async () => {
    expect(await ask()).toMatchObject({
      exitCode: 3,
      out: [
        'backend-api may merge: not known',
        '? Get User, version 1: Nobody has verified version 1 as it is now (ask backend-api, frontend-app)',
        '    next: cacp/implementation/verify',
        '',
      ].join('\n'),
    })
  })

  test('waits until it is known', async () => {
    const waiting = ask('--wait', '1m')
    await verify()
    expect(await waiting).toMatchObject({
      exitCode: 0,
      out: 'backend-api may merge: yes\n+ Get User, version 1: Version 1 is complete on all sides and verified\n',
    })
  })

  test('exits with 1 and names the file that changed, in every format', async () => {
    await verify()
    await writeFile(join(root, 'src/user.py'), 'def get(): changed')
    const say = '«src/user.py» of backend-api changed since it was verified'
    expect(await ask()).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining(`! Get User, version 1: ${say}`),
    })
    const { rows } = JSON.parse((await ask('--format', 'json')).out)
    expect(rows).toMatchObject([{ answer: 'no', code: 'own_file_moved', say }])
    expect((await ask('--format', 'markdown')).out).toContain('| no | Get User, version 1 | ')
    expect((await ask('--format', 'github')).out).toMatch(
      /^::error title=can-i-merge::backend-api may merge: no\n::error /,
    )
    await writeFile(join(root, 'src/user.py'), 'def get(): ...')
    expect((await ask()).exitCode).toBe(0)
  })

  test('asks for the grade that is wanted, for one contract or another repository', async () => {
    await verify()
    expect((await ask('--require', 'observed')).exitCode).toBe(3)
    expect((await ask('--contract', 'Get User')).exitCode).toBe(0)
    expect((await ask('--repo', 'frontend-app')).out).toMatch(/^frontend-app may merge: yes\n/)
  })

  test.each([
    [['--wait', 'soon'], '--wait: must be a time such as'],
    [['--require', 'proof'], "'proof' is invalid"],
    [['--peer', 'http://127.0.0.1:1', '--repo', 'backend-api'], '--token: is missing'],
    [['--peer', 'http://127.0.0.1:1', '--token', 'x'], '--repo: name the repository'],
  ])('is wrong usage with %j', async (words, problem) => {
    expect(await ask(...words)).toMatchObject({ exitCode: 2, err: expect.stringContaining(problem) })
  })

  test('says which repositories there are to who names another one', async () => {
    expect(await ask('--repo', 'nowhere')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('There are backend-api, frontend-app'),
    })
  })
})

describe('in a job without a daemon of its own', () => {
  let copy: string
  let token: string
  beforeAll(async () => {
    await verify()
    copy = await mkdtemp(join(tmpdir(), 'cacpd-job-'))
    await cp(join(root, 'src'), join(copy, 'src'), { recursive: true })
    const words = ['token', 'issue', '--project', 'Login', '--permission', 'gate:read']
    token = (await cacpd(words, { cwd: root })).out.trim()
  })
  afterAll(() => rm(copy, { recursive: true, force: true }))

  const askPeer = (...words: string[]) =>
    cacpd(['can-i-merge', '--peer', running.url, '--repo', 'backend-api', ...words], {
      cwd: copy,
      env: { CACP_TOKEN: token },
    })

  test('another daemon is asked with a token that allows nothing else', async () => {
    expect(await askPeer()).toMatchObject({ exitCode: 0, out: expect.stringContaining('may merge: yes') })
    const headers = { authorization: `Bearer ${token}` }
    await expect(running.rpc('cacp/project/get', { projectId: target.projectId }, headers)).rejects.toThrow()
  })

  test('the files are those of the working copy', async () => {
    await writeFile(join(copy, 'src/user.py'), 'def get(): another branch')
    expect(await askPeer()).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining(
        'The declared files of this working copy are not those that were stated last',
      ),
    })
  })
})
