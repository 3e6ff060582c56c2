import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { type DaemonProcess, type ProcessPlace, startProcess } from '../support/daemons/process.ts'
import { rpcTo } from '../support/daemons/rpc-to.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'
import { canNameHosts, withHostName } from '../support/network/namespaces.ts'

const BOUND = { timeout: 30_000, interval: 100 }

let folder: Folder
let backend: DaemonProcess
let frontend: DaemonProcess
let projectId: string

const start = (folderName: string, flags: readonly string[] = [], place: ProcessPlace = {}) =>
  startProcess(folder.at(`${folderName}/.cacp`), ['--log-level', 'warn', ...flags], place)

/** One pair for all of them: each leaves the frontend running under its own name. */
beforeAll(async () => {
  folder = await folderWith({ 'backend/': '', 'frontend/': '' })
  backend = await start('backend', ['--port', '0', '--repo', 'backend'])
  frontend = await start('frontend', ['--port', '0', '--repo', 'frontend'])
  const project = { name: 'Auth', objective: 'Log in', repos: [{ name: 'backend' }, { name: 'frontend' }] }
  projectId = (await rpcTo(backend, 'cacp/project/create', project)).projectId
  const { url } = await rpcTo(backend, 'cacp/invite/create', { project: projectId, repoName: 'frontend' })
  await rpcTo(frontend, 'cacp/peer/join', { url })
  const { agentId } = frontend.listening
  await vi.waitFor(async () => expect(await holderSeenBy(frontend)).toBe(agentId), BOUND)
})

afterAll(async () => {
  for (const daemon of [backend, frontend]) await daemon.stop('SIGKILL')
  await folder[Symbol.asyncDispose]()
})

async function seenBy(daemon: DaemonProcess) {
  const found = await rpcTo(daemon, 'cacp/project/get', { projectId }).catch(() => ({ repos: [] }))
  return found.repos.find(({ name }: { name: string }) => name === 'frontend')
}

const holderSeenBy = async (daemon: DaemonProcess) => (await seenBy(daemon))?.agent_id
const addressSeenBy = async (daemon: DaemonProcess) => (await seenBy(daemon))?.agent_endpoint

const onlyPeer = async () => (await rpcTo(backend, 'cacp/peer/list', {})).peers[0]

/** Says something there, and waits until the other one has heard it. */
async function expectHeard(name: string): Promise<void> {
  const proposal = { projectId, type: 'custom', name, content: {} }
  await rpcTo(frontend, 'cacp/contract/propose', proposal)
  const heard = async () => (await rpcTo(backend, 'cacp/contract/list', { projectId })).contracts
  await expect.poll(heard, BOUND).toEqual(expect.arrayContaining([expect.objectContaining({ name })]))
}

describe('a repository that is paired and holds a repo of a project', () => {
  test('keeps its agent ID, its pairing and its repo when it is started with another --repo, and says so; its peer shows both names', async () => {
    const { agentId } = frontend.listening
    await frontend.stop('SIGTERM')
    frontend = await start('frontend', ['--repo', 'web-app'])
    expect(frontend.listening).toMatchObject({ agentId, repo: 'web-app', renamedFrom: 'frontend' })
    await expectHeard('After the new name')
    expect(await holderSeenBy(backend)).toBe(agentId)
    const seen = { agentId, repoName: 'frontend', trust: 'approved' }
    await expect.poll(onlyPeer, BOUND).toMatchObject({ ...seen, callsItself: 'web-app' })
    const shown = await cacpd(['peers'], { cwd: folder.at('backend') })
    expect(shown.out).toContain('frontend (calls itself web-app)')

    await frontend.stop('SIGTERM')
    frontend = await start('frontend')
    expect(frontend.listening).toMatchObject({ agentId, repo: 'web-app' })
    expect(frontend.listening).not.toHaveProperty('renamedFrom')

    await frontend.stop('SIGTERM')
    frontend = await start('frontend', ['--repo', 'frontend'])
    await expect.poll(onlyPeer, BOUND).toMatchObject({ ...seen, callsItself: null })
  })

  test('keeps the role that it was once started with', async () => {
    const roleOf = async () => {
      const card = await (await request(`${frontend.url}/.well-known/agent.json`)).body.json()
      return (card as { extensions: { cacp: { role: string } } }).extensions.cacp.role
    }
    expect(await roleOf()).not.toBe('mobile')
    await frontend.stop('SIGTERM')
    frontend = await start('frontend', ['--role', 'mobile'])
    expect(await roleOf()).toBe('mobile')
    await frontend.stop('SIGTERM')
    frontend = await start('frontend')
    expect(await roleOf()).toBe('mobile')
  })

  test('is shown where it listens now, in its projects too, when it is started at another port', async () => {
    const before = frontend.listening['url']
    await expect.poll(() => addressSeenBy(backend), BOUND).toBe(before)
    await frontend.stop('SIGTERM')
    frontend = await start('frontend', ['--port', '0'])
    const { url } = frontend.listening
    expect(url).not.toBe(before)
    expect(await addressSeenBy(frontend)).toBe(url)
    await expect.poll(() => addressSeenBy(backend), BOUND).toBe(url)
  })

  test('stays where its agent said that it is, whatever port the daemon is started at', async () => {
    const agentEndpoint = 'http://127.0.0.1:9'
    await rpcTo(frontend, 'cacp/project/join', { projectId, agentEndpoint })
    await frontend.stop('SIGTERM')
    frontend = await start('frontend', ['--port', '0'])
    expect(await addressSeenBy(frontend)).toBe(agentEndpoint)
  })

  test.skipIf(!canNameHosts)(
    'is the same when its host has another name, also after it was killed (needs root and unshare)',
    async () => {
      const { agentId, url } = frontend.listening
      await frontend.stop('SIGKILL')
      frontend = await start('frontend', [], { within: withHostName('renamed-host') })
      expect(frontend.listening).toMatchObject({ agentId, url, repo: 'frontend' })
      await expectHeard('After the new host name')
    },
  )
})
