import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertRoom, withReservedSpace } from '../../../src/io/place/reserved-space.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cacpd-reserve-'))
})
afterEach(() => rm(directory, { recursive: true }))

const isReserved = () =>
  stat(join(directory, 'reserve')).then(
    ({ size }) => size > 0,
    () => false,
  )
const diskFull = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

test('what finds the disk full gets the reserved room at every further try, and it is reserved again afterwards', async () => {
  await assertRoom(directory)
  const seen: boolean[] = []
  const result = await withReservedSpace(directory, async () => {
    seen.push(await isReserved())
    if (seen.length < 3) throw diskFull()
    return 'written'
  })
  expect(result).toBe('written')
  expect(seen).toEqual([true, false, false])
  expect(await isReserved()).toBe(true)
})

test('what fails in the end leaves the room reserved', async () => {
  await assertRoom(directory)
  await expect(withReservedSpace(directory, () => Promise.reject(diskFull()))).rejects.toThrow(
    'no space left',
  )
  expect(await isReserved()).toBe(true)
})

test('what fails for another reason is not tried again', async () => {
  let tries = 0
  const failing = async () => {
    tries++
    throw new Error('broken')
  }
  await expect(withReservedSpace(directory, failing)).rejects.toThrow('broken')
  expect(tries).toBe(1)
})
