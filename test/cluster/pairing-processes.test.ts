import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { type DaemonProcess, startProcess } from '../support/daemons/process.ts'
import { rpcTo } from '../support/daemons/rpc-to.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'
import { droppingProxy } from '../support/network/dropping-proxy.ts'

const BIN = new URL('../../bin/cacpd.js', import.meta.url).pathname
const BOUND = { timeout: 30_000, interval: 100 }
const run = promisify(execFile)

/** A repository with a daemon of its own, used as a person would, but looked at without a process each time. None of them is open. */
class Repository implements AsyncDisposable {
  readonly #name: string
  readonly #folder: Folder
  #daemon: DaemonProcess

  static async start(name: string): Promise<Repository> {
    const folder = await folderWith()
    return new Repository(name, folder, await startProcess(join(folder.path, '.cacp'), flagsOf(name)))
  }

  private constructor(name: string, folder: Folder, daemon: DaemonProcess) {
    this.#name = name
    this.#folder = folder
    this.#daemon = daemon
  }

  get url(): string {
    return this.#daemon.url
  }

  kill(): Promise<unknown> {
    return this.#daemon.stop('SIGKILL')
  }

  /** On the port of the first start. */
  async startAgain(): Promise<void> {
    const port = new URL(this.url).port
    this.#daemon = await startProcess(join(this.#folder.path, '.cacp'), [
      ...flagsOf(this.#name).slice(0, -1),
      port,
    ])
  }

  async cacpd(words: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const { stdout } = await run(process.execPath, [BIN, ...words], {
      cwd: this.#folder.path,
      env: { ...process.env, CACP_DATA: '', ...env },
    })
    return stdout.trim()
  }

  async peers(): Promise<readonly { trust: string; health: string; fingerprint: string }[]> {
    return (await rpcTo(this.#daemon, 'cacp/peer/list', {})).peers
  }

  async projects(): Promise<string[]> {
    const { projects } = await rpcTo(this.#daemon, 'cacp/project/list', {})
    return projects.map(({ name }: { name: string }) => name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await this.#folder[Symbol.asyncDispose]()
  }
}

const flagsOf = (name: string): string[] => [
  ...['--log-level', 'warn', '--repo', `${name}-app`, '--agent-id', `aid://example.com/${name}@1.0.0`],
  ...['--port', '0'],
]

const create = (at: Repository, name: string) =>
  at.cacpd(['project', 'create', '--name', name, '--objective', 'o'])

test('two repositories are paired by two commands, and a third one gets nothing', async () => {
  await using backend = await Repository.start('backend')
  await using frontend = await Repository.start('frontend')
  await using stranger = await Repository.start('stranger')
  await create(backend, 'User Auth')
  const url = await backend.cacpd(['invite', '--project', 'User Auth'])
  const said = await frontend.cacpd(['join'], { CACP_INVITE: url })
  expect(said).toContain('Project User Auth is here, and its repo frontend-app is yours.')
  const [there] = await backend.peers()
  expect(said).toContain(there?.fingerprint)
  await create(frontend, 'Settings')
  await expect.poll(() => backend.projects(), BOUND).toEqual(['User Auth', 'Settings'])

  await expect(stranger.cacpd(['join', url])).rejects.toMatchObject({
    stderr: expect.stringContaining('This invite is not valid'),
  })
  await stranger.cacpd(['peers', 'add', backend.url])
  await create(stranger, 'Strange')
  await expect.poll(async () => (await stranger.peers())[0]?.health, BOUND).not.toBe('connecting')
  expect(await stranger.projects()).toEqual(['Strange'])
  expect(await backend.projects()).toEqual(['User Auth', 'Settings'])
  const { statusCode, body } = await request(`${backend.url}/peers`)
  await body.dump()
  expect(statusCode).toBe(401)

  await backend.cacpd(['peers', 'revoke', 'frontend-app'])
  await create(backend, 'Secret')
  await frontend.cacpd(['peers', 'sync'])
  await expect.poll(async () => (await frontend.peers())[0]?.health, BOUND).not.toBe('healthy')
  expect(await frontend.projects()).toEqual(['User Auth', 'Settings'])
}, 120_000)

test('a daemon that is killed after it let somebody in and before it said so lets it in again', async () => {
  await using backend = await Repository.start('backend')
  await using frontend = await Repository.start('frontend')
  await create(backend, 'User Auth')
  const url = await backend.cacpd(['invite', '--project', 'User Auth'])
  await using proxy = await droppingProxy(backend.url, () => backend.kill())
  await expect(frontend.cacpd(['join', proxy.inPlaceOf(url)])).rejects.toMatchObject({
    stderr: expect.stringContaining('cannot be reached'),
  })
  await backend.startAgain()
  expect(await backend.peers()).toMatchObject([{ trust: 'approved' }])
  expect(await frontend.peers()).toEqual([])
  await frontend.cacpd(['join', url])
  await expect.poll(() => frontend.projects(), BOUND).toEqual(['User Auth'])
  await expect.poll(async () => (await backend.peers())[0]?.health, BOUND).toBe('healthy')
}, 120_000)
