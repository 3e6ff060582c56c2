import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { endDaemon } from '../../../src/io/background/end-daemon.ts'
import { ensureDaemon, findRunningDaemon } from '../../../src/io/background/ensure-daemon.ts'
import { readBackground } from '../../../src/io/background/state.ts'
import { processStart } from '../../../src/io/runner/process-start.ts'
import { LAUNCHER } from '../../../src/launcher.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'

const PATIENT = { timeout: 25_000 }
const ENV = { PATH: process.env['PATH'], HOME: '/nowhere', CACP_PORT: '0' }

/** A repository whose daemon is gone when the test is. */
async function repository(files: Record<string, string> = {}): Promise<Folder> {
  const folder = await folderWith({ '.git/': '', ...files })
  return {
    ...folder,
    [Symbol.asyncDispose]: async () => {
      await endDaemon(folder.at('.cacp'))
      await folder[Symbol.asyncDispose]()
    },
  }
}

const isGone = async (pid: number): Promise<boolean> => (await processStart(pid)) === undefined

describe('the daemon of a repository', () => {
  test('is started once, however many ask; outlives them; is started again when it is killed; and ends with what watches', async () => {
    await using folder = await repository({ 'src/': '' })
    // One in a process of its own, which is gone when it has been answered.
    const asked = promisify(execFile)(process.execPath, [LAUNCHER, 'up', '-d', '--json'], {
      cwd: folder.at('src'),
      env: ENV,
    })
    const [{ stdout }, ...others] = await Promise.all([
      asked,
      ensureDaemon({ cwd: folder.path, env: ENV }),
      ensureDaemon({ cwd: folder.at('src'), env: ENV }),
    ])
    const { pid, url, data } = JSON.parse(stdout) as { pid: number; url: string; data: string }
    expect(data).toBe(folder.at('.cacp'))
    expect(others.map(({ endpoint }) => endpoint.pid)).toEqual([pid, pid])
    const { status } = (await (await fetch(`${url}/health`)).json()) as { status: string }
    expect(status).toBe('healthy')
    expect(await ensureDaemon({ cwd: folder.path, env: ENV })).toMatchObject({
      isNew: false,
      endpoint: { pid },
    })

    process.kill(pid, 'SIGKILL')
    const newPid = async () => (await findRunningDaemon(data))?.endpoint.pid ?? pid
    await expect.poll(newPid, PATIENT).not.toBe(pid)
    const watching = await readBackground(data)
    expect(watching).toMatchObject({ restarts: 1 })
    expect(await readFile(folder.at('.cacp/daemon.log'), 'utf8')).toContain('ended with signal SIGKILL')

    const ended = await endDaemon(data)
    expect(ended.map(({ pid }) => pid)).toEqual([watching?.pid, expect.any(Number)])
    for (const { pid } of ended) expect(await isGone(pid)).toBe(true)
    expect(await endDaemon(data)).toEqual([])
  }, 60_000)

  test('goes on when what watches over it is killed, and can still be ended', async () => {
    await using folder = await repository()
    const { dataDir, endpoint } = await ensureDaemon({ cwd: folder.path, env: ENV })
    const watching = await readBackground(dataDir)
    process.kill(watching?.pid ?? 0, 'SIGKILL')
    await expect.poll(() => isGone(watching?.pid ?? 0), PATIENT).toBe(true)
    expect(await ensureDaemon({ cwd: folder.path, env: ENV })).toMatchObject({ isNew: false, endpoint })
    expect((await fetch(`${endpoint.url}/health`)).status).toBe(200)
    expect(await endDaemon(dataDir)).toEqual([{ what: 'daemon', pid: endpoint.pid }])
    expect(await readBackground(dataDir)).toBeUndefined()
  })

  test('that finds its port in use says so to whoever started it', async () => {
    await using folder = await repository()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    await expect(ensureDaemon({ cwd: folder.path, env: ENV, flags: [`--port=${port}`] })).rejects.toThrow(
      `${port}`,
    )
    taken.close()
    await rm(folder.at('.cacp/background.json'))
  })

  test('with settings that are wrong is not started, and the setting is named', async () => {
    await using folder = await repository({ '.cacp/config.json': '{"prot":1}' })
    await expect(ensureDaemon({ cwd: folder.path, env: ENV })).rejects.toThrow('has the unknown key "prot"')
  })

  test.each([
    { name: 'is a file', files: { '.cacp': 'not a folder' }, said: /is a file, or lies below one/ },
    { name: 'holds something else', files: { '.cacp/thesis.txt': '' }, said: /holds other files/ },
  ])('is not started where its data directory $name', async ({ files, said }) => {
    await using folder = await folderWith({ '.git/': '', ...files })
    await expect(ensureDaemon({ cwd: folder.path, env: ENV })).rejects.toThrow(said)
  })

  test('is not started where its log is a link, through which it would write to files of others', async () => {
    await using folder = await folderWith({ '.git/': '', '.cacp/': '', '.bashrc': '# mine\n' })
    await symlink('../.bashrc', folder.at('.cacp/daemon.log'))
    await expect(ensureDaemon({ cwd: folder.path, env: ENV })).rejects.toThrow('daemon.log is a link')
    expect(await readFile(folder.at('.bashrc'), 'utf8')).toBe('# mine\n')
  })
})
