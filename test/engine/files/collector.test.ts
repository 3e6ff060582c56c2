import { expect, test } from 'vitest'
import { bytesUploadedBy, LEAST_COUNTED_BYTES } from '../../../src/domain/files/upload.ts'
import { collectFiles } from '../../../src/engine/files/collector.ts'
import { createFileIntake } from '../../../src/engine/files/intake.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { at } from '../../domain/builders.ts'
import { Story } from '../../domain/story.ts'
import { keep } from '../../io/store/opened.ts'
import { ManualClock } from '../../support/desk/desk.ts'
import { signerOf } from '../../support/desk/signer.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'

const PEER = { kind: 'peer' as const, agentId: 'aid://example.com/frontend@1.0.0' }
const DAY = 86_400

async function* streamed(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function shelfOn(disk = new SimulatedDisk()) {
  const clock = new ManualClock()
  const { store, files } = await openStore({ directory: '/data', clock, disk })
  const intake = createFileIntake({
    files,
    store,
    clock,
    self: { signer: signerOf('here') },
    bytesPerCaller: 10 * LEAST_COUNTED_BYTES,
  })
  const collect = () => collectFiles({ files, store, clock, unnamedSeconds: DAY })
  const bring = async (text: string) => (await intake.put(streamed(text), { party: PEER })).sha256
  const isThere = (sha256: string) => store.view.fileSize(sha256) !== undefined
  return { clock, store, files, intake, collect, bring, isThere, disk }
}

test('a file that nobody names is removed after a while, with what it counted; one that is named stays', async () => {
  const { clock, store, collect, bring, isThere, disk } = await shelfOn()
  const [named, unnamed] = [await bring('named'), await bring('unnamed')]
  const story = new Story()
  story.shares('backend', at(10), { content: { file: { sha256: named } } })
  await keep(store, ...story.found.said)
  clock.advance(DAY - 60)
  const fresh = await bring('fresh')

  await collect()
  expect([named, unnamed, fresh].map(isThere)).toEqual([true, true, true])
  clock.advance(120)
  await collect()
  expect([named, unnamed, fresh].map(isThere)).toEqual([true, false, true])
  expect(bytesUploadedBy(store.view, PEER)).toBe(2 * LEAST_COUNTED_BYTES)
  expect(disk.paths()).not.toContain(`/data/files/${unnamed}`)
})

test('a file that is brought again while it is removed is there afterwards', async () => {
  const { clock, collect, bring, isThere, disk } = await shelfOn()
  await bring('once')
  clock.advance(2 * DAY)
  const collecting = collect()
  const [sha256] = await Promise.all([bring('once'), collecting])
  expect(isThere(sha256)).toBe(true)
  expect(disk.paths()).toContain(`/data/files/${sha256}`)
})

test('a file that is brought a second time, and not named yet, is not taken for the old one', async () => {
  const { clock, files, collect, bring, isThere } = await shelfOn()
  const sha256 = await bring('twice')
  clock.advance(2 * DAY)
  // Its packet is still to be kept.
  await files.put(streamed('twice'), 100)
  await collect()
  expect(isThere(sha256)).toBe(true)
})
