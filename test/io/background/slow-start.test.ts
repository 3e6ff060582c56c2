import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { endDaemon } from '../../../src/io/background/end-daemon.ts'
import { ensureDaemon } from '../../../src/io/background/ensure-daemon.ts'
import {
  type BackgroundState,
  type readBackground,
  writeBackground,
} from '../../../src/io/background/state.ts'
import { lockDirectory } from '../../../src/io/store/directory/lock.ts'
import { folderWith } from '../../support/folders/folder.ts'

/** Stands between what is read from the disk and whoever reads it: on a slow machine, much can happen there. */
let held: (state: BackgroundState | undefined) => Promise<void> = async () => {}

vi.mock('../../../src/io/background/state.ts', async (load) => {
  const real = await load<typeof import('../../../src/io/background/state.ts')>()
  const slow: typeof readBackground = async (dataDir) => {
    const state = await real.readBackground(dataDir)
    await held(state)
    return state
  }
  return { ...real, readBackground: slow }
})
afterEach(() => {
  held = async () => {}
})

const ENV = { PATH: process.env['PATH'], HOME: '/nowhere', CACP_PORT: '0' }
const WRONG = { '.git/': '', '.cacp/config.json': '{"prot":1}' }
const REASON = 'has the unknown key "prot"'
const PATIENT = { timeout: 25_000 }

/** Also of those that have ended, as long as nobody has heard of their end. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('why a daemon is not started is told also to who reads too slowly to see it happen', async () => {
  await using folder = await folderWith(WRONG)
  let isHeld = false
  held = async (state) => {
    if (state === undefined || isHeld) return
    isHeld = true
    await expect.poll(() => isThere(state.pid), PATIENT).toBe(false)
  }
  await expect(ensureDaemon({ cwd: folder.path, env: ENV })).rejects.toThrow(REASON)
  expect(isHeld).toBe(true)
}, 60_000)

test('who finds another one watching that gives up at that moment has the daemon started again', async () => {
  await using folder = await folderWith({ ...WRONG })
  const dataDir = folder.at('.cacp')
  const supervisors = async () => {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args='])
    return stdout.split('\n').filter((line) => line.includes(`supervise --data ${dataDir}`)).length
  }
  const other: BackgroundState = {
    pid: 999_999_999,
    processStart: 'another life',
    phase: 'gave up',
    since: '2026-11-16T09:00:00.000Z',
    restarts: 0,
    problem: { message: 'what was wrong then' },
  }
  await writeBackground(dataDir, other)
  const watching = await lockDirectory(dataDir, 'lock-background')
  const started = ensureDaemon({ cwd: folder.path, env: ENV })
  await expect.poll(supervisors, PATIENT).toBe(1)
  await expect.poll(supervisors, PATIENT).toBe(0)
  await writeFile(folder.at('.cacp/config.json'), '{}')
  await watching[Symbol.asyncDispose]()
  expect(await started).toMatchObject({ isNew: true })
  await endDaemon(dataDir)
}, 60_000)
