import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readBackground } from '../../src/io/background/state.ts'
import { readEndpoint, readOperatorKey } from '../../src/io/place/data-dir.ts'
import { LAUNCHER } from '../../src/launcher.ts'
import { rpcTo } from '../support/daemons/rpc-to.ts'
import { hasSmallDisks, type SmallDisk, smallDisk } from '../support/simulated/small-disk.ts'

const REASON = 'The disk of the data directory is full: nothing is written, reading goes on'
const NEXT = 'Free some space on it; writing resumes by itself'
/** The machine may have other work; a full disk is looked at every 5 seconds. */
const PATIENT = { timeout: 30_000, interval: 200 }
/** More than fits beside what a file system gives to a file at once. */
const LARGE = { name: 'Large', objective: 'x'.repeat(9000) }

let disk: SmallDisk
let repository: string
let dataDir: string

/** The built program, in the repository on the small disk. */
function cacpd(...words: string[]): Promise<{ exitCode: number; out: string; err: string }> {
  const env = { PATH: process.env['PATH'], CACP_PORT: '0', HOME: '/nowhere' }
  return new Promise((resolve) => {
    execFile(process.execPath, [LAUNCHER, ...words], { cwd: repository, env }, (error, out, err) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

const healthOf = async () => JSON.parse((await cacpd('status', '--json')).out)
/** While one waits for it, without a process for every look. */
const healthNow = async () => {
  const [endpoint, key] = await Promise.all([readEndpoint(dataDir), readOperatorKey(dataDir)])
  const answer = await fetch(`${endpoint?.url}/health`, { headers: { authorization: `Bearer ${key}` } })
  return answer.json()
}
const call = async (method: string, params: object) => {
  const url = (await readEndpoint(dataDir))?.url ?? ''
  return rpcTo({ url, key: await readOperatorKey(dataDir) }, method, params)
}
const pids = async () => ({
  daemon: (await readEndpoint(dataDir))?.pid ?? 0,
  supervisor: (await readBackground(dataDir))?.pid ?? 0,
})

describe.skipIf(!hasSmallDisks)('on a disk that is really full (needs root and mount)', () => {
  beforeEach(async () => {
    disk = smallDisk(4)
    repository = join(disk.path, 'repository')
    dataDir = join(repository, '.cacp')
    await mkdir(join(repository, '.git'), { recursive: true })
  })

  afterEach(async () => {
    await cacpd('down')
    disk[Symbol.dispose]()
  })

  test('a daemon says what is wrong, is read, starts anew however it was ended, and writes when there is room', async () => {
    expect(await cacpd('up', '-d')).toMatchObject({ exitCode: 0, err: '' })
    const { projectId } = await call('cacp/project/create', { name: 'Kept', objective: 'o' })
    disk.fill()
    await expect(call('cacp/project/create', LARGE)).rejects.toMatchObject({ data: { kind: 'storage_full' } })
    expect(await healthOf()).toMatchObject({ status: 'degraded', reason: REASON, next: NEXT })

    const { daemon } = await pids()
    process.kill(daemon, 'SIGKILL')
    await expect.poll(pids, PATIENT).not.toMatchObject({ daemon })
    await expect.poll(healthNow, PATIENT).toMatchObject({ status: 'degraded', reason: REASON })
    expect(await healthOf()).toMatchObject({ status: 'degraded', reason: REASON })
    expect(await call('cacp/project/get', { projectId })).toMatchObject({ name: 'Kept' })

    expect(await cacpd('down')).toMatchObject({ exitCode: 0 })
    const up = await cacpd('up', '-d')
    expect(up).toMatchObject({ exitCode: 0, err: `warning: ${REASON}\nnext: ${NEXT}\n` })

    for (const pid of Object.values(await pids())) process.kill(pid, 'SIGKILL')
    const again = await cacpd('up', '-d', '--json')
    expect(JSON.parse(again.out)).toMatchObject({ event: 'started', status: 'degraded', reason: REASON })
    expect((await cacpd('status')).out).toContain(`reason: ${REASON}\n`)
    expect((await cacpd('doctor')).out).toContain(`daemon: ${REASON}\n    ${NEXT}\n`)
    await expect(call('cacp/project/create', LARGE)).rejects.toMatchObject({ data: { kind: 'storage_full' } })
    expect(await call('cacp/project/get', { projectId })).toMatchObject({ name: 'Kept' })

    disk.free()
    await expect.poll(healthNow, PATIENT).toMatchObject({ status: 'healthy' })
    const mended = await healthOf()
    expect(mended).toMatchObject({ status: 'healthy' })
    expect(mended).not.toHaveProperty('reason')
    await call('cacp/project/create', LARGE)
    const log = await readFile(join(dataDir, 'daemon.log'), 'utf8')
    expect(log).toContain(REASON)
    expect(log).toContain('the disk takes data again')
  }, 120_000)

  test('a daemon that nobody has written to since says so when it is asked', async () => {
    expect(await cacpd('up', '-d')).toMatchObject({ exitCode: 0, err: '' })
    disk.fill()
    expect(await healthOf()).toMatchObject({ status: 'degraded', reason: REASON, next: NEXT })
    expect((await cacpd('up', '-d')).err).toBe(`warning: ${REASON}\nnext: ${NEXT}\n`)
    disk.free()
    expect(await healthOf()).toMatchObject({ status: 'healthy' })
  }, 60_000)

  test('a first start says that it is full, and leaves nothing behind but what says so', async () => {
    disk.fill()
    expect(await cacpd('up', '-d')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`The disk of the data directory ${dataDir} is full`),
    })
  }, 60_000)
})
