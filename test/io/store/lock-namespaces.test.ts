import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockDirectory } from '../../../src/io/store/directory/lock.ts'
import { containerDisk } from '../../support/daemons/overlay.ts'
import { type Bundled, bundled } from '../../support/folders/bundled.ts'
import { hasNamespaces, NAMESPACES } from '../../support/network/namespaces.ts'
import { hasSmallDisks } from '../../support/simulated/small-disk.ts'

let directory: string
const children: ChildProcess[] = []

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cacpd-namespaces-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(directory, { recursive: true })
})

let holdLock: Bundled
beforeAll(async () => {
  holdLock = await bundled(new URL('./hold-lock.ts', import.meta.url))
})
afterAll(() => holdLock[Symbol.asyncDispose]())

/** A process, in a namespace of its own or not, that takes the lock and keeps it; tells what came of it. */
async function contender(
  namespace: readonly string[] = [],
  place = directory,
): Promise<{ child: ChildProcess; said: string }> {
  const [program = '', ...words] = [...namespace, process.execPath, holdLock.path, place]
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const [said] = await once(child.stdout, 'data')
  return { child, said: String(said).trim() }
}

async function killed({ child }: { child: ChildProcess }): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

describe.skipIf(!hasNamespaces)('across namespaces (needs unshare, and root or user namespaces)', () => {
  describe.each(Object.entries(NAMESPACES))('%s', (_, namespace) => {
    test('holds a lock against those outside until it is killed, and they get in at once', async () => {
      const inside = await contender(namespace)
      expect(inside.said).toBe('locked')
      await expect(lockDirectory(directory)).rejects.toMatchObject({ whereabouts: 'elsewhere' })
      await killed(inside)
      await using _lock = await lockDirectory(directory)
    })

    test('does not get in while a process outside has the lock, and does when that was killed', async () => {
      const outside = await contender()
      expect(outside.said).toBe('locked')
      expect((await contender(namespace)).said).toBe('StoreLockedError')
      await killed(outside)
      expect((await contender(namespace)).said).toBe('locked')
    })

    test('is told from the next one, also when that comes after it with the same pids', async () => {
      const first = await contender(namespace)
      expect([first.said, (await contender(namespace)).said]).toEqual(['locked', 'StoreLockedError'])
      await killed(first)
      expect((await contender(namespace)).said).toBe('locked')
    })
  })

  test('of many in namespaces of their own that find the lock of a dead one, one gets in', async () => {
    await killed(await contender(NAMESPACES['a container']))
    const racers = Object.values(NAMESPACES).flatMap((namespace) => [namespace, namespace])
    const said = (await Promise.all(racers.map((one) => contender(one)))).map((one) => one.said)
    expect(said.filter((word) => word === 'locked')).toHaveLength(1)
    expect(new Set(said)).toEqual(new Set(['locked', 'StoreLockedError']))
  })

  test.skipIf(!hasSmallDisks)(
    'a container that was killed gets in again when its disk was mounted anew (needs root and mount)',
    async () => {
      using disk = containerDisk()
      const { dev } = await stat(disk.path)
      const first = await contender(NAMESPACES['a container'], disk.path)
      expect(first.said).toBe('locked')
      await killed(first)
      disk.mountAgain()
      expect((await stat(disk.path)).dev).not.toBe(dev)
      const second = await contender(NAMESPACES['a container'], disk.path)
      expect(second.said).toBe('locked')
      await killed(second)
    },
  )
})
