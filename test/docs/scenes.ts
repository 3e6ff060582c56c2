import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { BOUND, bothHealthy, FRONTEND, pair } from '../cluster/pairs.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'
import { NATS_SERVER } from '../support/hub/nats-server.ts'
import { freePort } from '../support/network/free-port.ts'
import { cleanEnv, type Place } from './page-script.ts'
import { DOCS, ROOT } from './pages.ts'

export interface Scene extends Place, AsyncDisposable {}

/** Where the commands of a page are run, by the page: all that are not marked. */
export const SCENES: Readonly<Record<string, () => Promise<Scene>>> = {
  'docs/setup.md': newRepository,
  'docs/operations.md': newRepository,
  'docs/review.md': newRepository,
  'docs/peers.md': pairedRepository,
  'docs/hub.md': repositoriesWithoutLinks,
  'docs/seat.md': pairedRepository,
  'docs/ui.md': pairedRepository,
  'docs/agent.md': pairedRepository,
  'docs/merge.md': bothRepositories,
  'docs/security.md': pairedRepository,
}

/** Their commands ask a daemon over HTTP, and `test/readme-asking.test.ts` runs them. */
export const PROTOCOL_PAGES: readonly string[] = DOCS.filter((page) => page.startsWith('docs/protocols/'))

/** A repository in which cacpd was never called. */
async function newRepository(): Promise<Scene> {
  const folder = await folderWith({
    'bin/': '',
    'home/': '',
    'web-app/.git/': '',
    'web-app/.claude/': '',
    'web-app/docs/login.png': 'hello',
  })
  const cwd = folder.at('web-app')
  const env = { ...(await installed(folder)), CACP_PORT: '0' }
  return {
    cwd,
    env,
    [Symbol.asyncDispose]: async () => {
      // A page that failed half-way may have left its daemon in the background.
      await promisify(execFile)('cacpd', ['down'], { cwd, env }).catch(() => undefined)
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** `frontend-app`, paired with `backend-api`, which has proposed a contract and asked a question; and it has asked one itself. */
async function pairedRepository(): Promise<Scene> {
  const [backend, frontend] = await Promise.all([daemon(), daemon(FRONTEND)])
  const folder = await folderWith({ 'bin/': '', 'home/': '' })
  const project = { name: 'User Auth', objective: 'Log in from the app' }
  const { projectId } = await backend.rpc('cacp/project/create', project)
  await pair(backend, frontend, { project: projectId })
  await bothHealthy(backend, frontend)
  const content = { method: 'GET', path: '/users/me' }
  await backend.rpc('cacp/contract/propose', { type: 'api_endpoint', name: 'Get User Profile', content })
  const question = { question: 'JWT or cookies?', options: ['JWT', 'cookies'] }
  await backend.rpc('cacp/context/askQuestion', question)
  const toDo = async (at: TestDaemon) => (await at.rpc('cacp/inbox/list')).items.length
  await expect.poll(() => toDo(frontend), BOUND).toBe(2)
  await frontend.rpc('cacp/context/askQuestion', { question: 'Which page size?' })
  await expect.poll(() => toDo(backend), BOUND).toBe(1)
  // An item is there before its arrival is confirmed.
  const behind = async () => (await frontend.rpc('cacp/peer/list')).peers[0].behind
  await expect.poll(behind, BOUND).toBe(0)
  return {
    cwd: dirname(frontend.dataDir),
    url: frontend.url,
    env: await installed(folder),
    differing: [
      [/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, '<minute>'],
      [/http:\/\/127\.0\.0\.1:\d+/g, '<url>'],
      [/(backend-api): [a-z]+(?: [a-z]+){5}$/gm, '$1: <words>'],
    ],
    [Symbol.asyncDispose]: async () => {
      await Promise.all([backend[Symbol.asyncDispose](), frontend[Symbol.asyncDispose]()])
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** A folder with `backend-api` and `frontend-app`, in which cacpd was never called. */
async function repositoriesWithoutLinks(): Promise<Scene> {
  const folder = await folderWith({
    'bin/': '',
    'home/': '',
    'backend-api/.git/': '',
    'frontend-app/.git/': '',
  })
  if (NATS_SERVER !== undefined) await symlink(NATS_SERVER, folder.at('bin/nats-server'))
  const env = { ...(await installed(folder)), CACP_PORT: '0' }
  return {
    cwd: folder.path,
    env,
    ports: [['4222', String(await freePort())]],
    differing: [
      [/nats:\/\/127\.0\.0\.1:\d+/g, '<hub>'],
      [/nats-server 2\.\S+ \(\S+\)/g, '<server>'],
    ],
    [Symbol.asyncDispose]: async () => {
      for (const repo of ['backend-api', 'frontend-app'])
        await promisify(execFile)('cacpd', ['down'], { cwd: folder.at(repo), env }).catch(() => undefined)
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** A folder with `backend-api` and `frontend-app`, which are paired and share a project. */
async function bothRepositories(): Promise<Scene> {
  const [backend, frontend, ...ports] = await Promise.all([
    daemon(),
    daemon(FRONTEND),
    freePort(),
    freePort(),
  ])
  const folder = await folderWith({ 'bin/': '', 'home/': '' })
  await symlink(dirname(backend.dataDir), folder.at('backend-api'))
  await symlink(dirname(frontend.dataDir), folder.at('frontend-app'))
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'User Auth', objective: 'Log in' })
  await pair(backend, frontend, { project: projectId })
  await bothHealthy(backend, frontend)
  return {
    cwd: folder.path,
    env: await installed(folder),
    ports: ['4010', '4020'].map((port, index) => [port, String(ports[index])]),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([backend[Symbol.asyncDispose](), frontend[Symbol.asyncDispose]()])
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** The environment of somebody on whose path `cacpd` is. */
async function installed(folder: Folder): Promise<NodeJS.ProcessEnv> {
  await mkdir(folder.at('bin'), { recursive: true })
  await symlink(join(ROOT, 'bin', 'cacpd.js'), folder.at('bin/cacpd'))
  const env = cleanEnv()
  return { ...env, HOME: folder.at('home'), XDG_STATE_HOME: '', PATH: `${folder.at('bin')}:${env['PATH']}` }
}
