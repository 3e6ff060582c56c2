import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { processStart } from '../../../../src/io/runner/process-start.ts'
import { lockDirectory } from '../../../../src/io/store/directory/lock.ts'
import { type LockHolder, ownHolder } from '../../../../src/io/store/directory/lock-holder.ts'
import { openLockSocket, socketPath } from '../../../../src/io/store/directory/lock-socket.ts'
import { StoreLockedError } from '../../../../src/io/store/store-errors.ts'
import { isOverlay } from '../../../support/daemons/overlay.ts'
import { type Bundled, bundled } from '../../../support/folders/bundled.ts'

/** A process that listens at the path it is given, until it is killed. */
const LISTEN = 'require("net").createServer().listen(process.argv[1], () => console.log("listens"))'

let root: string
let directory: string
const children: ChildProcess[] = []

let holdLock: Bundled
beforeAll(async () => {
  holdLock = await bundled(new URL('../hold-lock.ts', import.meta.url))
})
afterAll(() => holdLock[Symbol.asyncDispose]())

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cacpd-lock-'))
  directory = root
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(root, { recursive: true })
})

/** Starts a process that takes the lock and keeps it; tells what came of it. */
async function otherProcess(): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [holdLock.path, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = await once(child.stdout, 'data')
  return { child, said: String(said).trim() }
}

/** The pid of a process that has been and gone. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

/** Lets the contenders of a race run at different paces. */
async function lockAfter(turns: number): Promise<AsyncDisposable> {
  for (let turn = 0; turn < turns; turn++) await readdir(directory)
  return lockDirectory(directory)
}

const plantLock = (name: string, content: string) => writeFile(join(directory, name), content)
const NONCE = '00000000-0000-4000-8000-00000000000a'
const lockBy = async (changes: Partial<LockHolder>) =>
  JSON.stringify({ ...(await ownHolder(directory, NONCE)), ...changes })
const lockOf = (pid: number, started: string) => lockBy({ pid, started })

const withoutSockets = async () => (await readdir(directory)).filter((name) => !name.endsWith('.sock')).sort()

test('a second process is refused by name of the first, and gets in as soon as that one was killed', async () => {
  const { child, said } = await otherProcess()
  expect(said).toBe('locked')
  await expect(lockDirectory(directory)).rejects.toThrow(StoreLockedError)
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${child.pid}`)

  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = await lockDirectory(directory)
  expect(JSON.parse(await readFile(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
  await lock[Symbol.asyncDispose]()
  expect(await readdir(directory)).toEqual([])
})

test('of several processes that find the lock of a dead one, one gets in', async () => {
  await plantLock('lock', await lockOf(await deadPid(), 'before'))
  const outcomes = await Promise.all(Array.from({ length: 4 }, otherProcess))
  expect(outcomes.map(({ said }) => said).sort()).toEqual([
    'StoreLockedError',
    'StoreLockedError',
    'StoreLockedError',
    'locked',
  ])
})

test('in many races for the lock of a dead process there is never a second winner', async () => {
  const dead = await lockOf(await deadPid(), 'before')
  for (let race = 0; race < 60; race++) {
    await plantLock('lock', dead)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, place) => lockAfter((place * race) % 13)),
    )
    const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(winners).toHaveLength(1)
    for (const winner of winners) await winner[Symbol.asyncDispose]()
    expect(await readdir(directory)).toEqual([])
  }
})

test('a pid that now belongs to another process locks nobody out', async () => {
  await plantLock('lock', await lockOf(process.pid, 'another start'))
  await using _lock = await lockDirectory(directory)
})

test('a lock that a power failure left empty is taken over', async () => {
  await plantLock('lock', '')
  await using _lock = await lockDirectory(directory)
})

test('a process that died while taking over is succeeded as well', async () => {
  const dead = await lockOf(await deadPid(), 'before')
  await plantLock('lock', dead)
  const { createHash } = await import('node:crypto')
  const succession = `lock-after-${createHash('sha256').update(dead).digest('hex').slice(0, 16)}`
  await plantLock(succession, await lockOf(await deadPid(), 'before'))
  await using _lock = await lockDirectory(directory)
  expect(await withoutSockets()).toEqual(['lock'])
})

test('what a killed process left aside is swept, what a living one is about to use is not', async () => {
  const aside = (digit: number, of = 'lock') =>
    `${of}.${String(digit).repeat(8)}-0000-4000-8000-000000000000.tmp`
  const dead = await lockOf(await deadPid(), 'before')
  await plantLock(aside(1), dead)
  await plantLock(aside(2, 'lock-after-0123456789abcdef'), dead)
  await plantLock(aside(3), '')
  await utimes(join(directory, aside(3)), 1, 1)
  const kept = [aside(4), aside(5), 'lock.notes.tmp', 'locked.txt']
  await plantLock(aside(4), '')
  await plantLock(aside(5), await lockOf(process.pid, (await processStart(process.pid)) ?? ''))
  await plantLock('lock.notes.tmp', dead)
  await plantLock('locked.txt', dead)
  await using _lock = await lockDirectory(directory)
  expect(await withoutSockets()).toEqual(['lock', ...kept].sort())
})

test('a lock from before the machine was started again is taken over', async () => {
  await plantLock('lock', await lockBy({ kernel: 'an earlier start' }))
  await using _lock = await lockDirectory(directory)
})

test('a lock of which nobody can tell whether its holder lives is not taken over, and says what to do', async () => {
  const held = await lockBy({ pid: 7, pids: 'pid:[1]', host: 'devcontainer' })
  await plantLock('lock', held)
  const refusal = await lockDirectory(directory).catch((error: Error) => error)
  expect(refusal).toMatchObject({ name: 'StoreLockedError', pid: 7, whereabouts: 'unknown' })
  expect(String(refusal)).toContain(`process 7 of another machine or container (devcontainer)`)
  expect(String(refusal)).toContain(`if it is gone, remove ${join(directory, 'lock')} and try again`)
  expect(await withoutSockets()).toEqual(['lock'])
  await rm(join(directory, 'lock'))
  await using _lock = await lockDirectory(directory)
})

test('nor one that does not say where its holder runs', async () => {
  await plantLock('lock', await lockBy({ kernel: null }))
  await expect(lockDirectory(directory)).rejects.toMatchObject({ whereabouts: 'unknown' })
})

test.skipIf(isOverlay(tmpdir()))(
  'nor one of a disk that is mounted twice (needs one that can be)',
  async () => {
    await plantLock('lock', await lockBy({ pids: null, disk: 1 }))
    await expect(lockDirectory(directory)).rejects.toMatchObject({ whereabouts: 'unknown' })
  },
)

test.skipIf(process.platform !== 'linux')('the socket of a lock works also in a deep folder', async () => {
  directory = join(directory, 'x'.repeat(120))
  await mkdir(directory)
  await plantLock('lock', await lockBy({ pids: 'pid:[1]' }))
  const socket = await openLockSocket(directory, NONCE)
  await expect(lockDirectory(directory)).rejects.toMatchObject({ whereabouts: 'elsewhere' })
  await socket?.[Symbol.asyncDispose]()
  expect(await readdir(directory)).toEqual(['lock'])
})

test.skipIf(process.platform !== 'linux')('old sockets that no lock names are swept', async () => {
  const child = spawn(process.execPath, ['-e', LISTEN, socketPath(directory, NONCE)], { stdio: 'pipe' })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await readdir(directory)).toHaveLength(1)
  await utimes(socketPath(directory, NONCE), 1, 1)
  await using _lock = await lockDirectory(directory)
  expect(await readdir(directory)).not.toContain(`lock.${NONCE}.sock`)
})

test.skipIf(process.platform === 'win32')('a lock that finds no room leaves nothing behind', async () => {
  const command = 'ulimit -f 0 && exec "$0" "$1" "$2"'
  const child = spawn('sh', ['-c', command, process.execPath, holdLock.path, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = await once(child.stdout, 'data')
  expect(String(said).trim()).toBe('Error')
  expect(await readdir(directory)).toEqual([])
})

test('a process is told by its start, and one that is gone has none', async () => {
  expect(await processStart(process.pid)).toBe(await processStart(process.pid))
  expect(await processStart(process.pid)).not.toBe(await processStart(process.ppid))
  expect(await processStart(await deadPid())).toBeUndefined()
})
