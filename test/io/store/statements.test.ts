import { expect, test } from 'vitest'
import { idOf, type Statement } from '../../../src/domain/statements/statement.ts'
import type { Store } from '../../../src/engine/ports/ports.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { AUTHOR, TestProject } from './entities.ts'
import { close, contentOf, contractsIn, DIRECTORY, faultOf, keep, look, openOn } from './opened.ts'

const p = new TestProject('p')
const statementsIn = (store: Store): Statement[] => [...(store.view.projects.get(p.id)?.said ?? [])]

const say = (store: Store, name: string) =>
  store.commit(() => ({ result: undefined, says: [p.unsignedContract(name)] }))

/** Signatures that are made when a test says so. */
function slowSigner() {
  const waiting: (() => void)[] = []
  const sign = (id: string) =>
    new Promise<string>((resolve) => waiting.push(() => resolve(AUTHOR.signature(id))))
  return { sign, finish: () => void waiting.splice(0).forEach((one) => void one()) }
}

const expectSigned = (statements: readonly Statement[]) => {
  for (const { id, sig, ...said } of statements) expect([idOf(said), sig]).toEqual([id, AUTHOR.signature(id)])
}

test('what this daemon says is told and answered when it is signed and on disk, and verifies after every start', async () => {
  const disk = new SimulatedDisk()
  const { sign, finish } = slowSigner()
  const { store } = await openOn(disk, { sign })
  const told: Statement[] = []
  store.onDurable((changes) => void told.push(...changes.map(({ statement }) => statement)))
  await keep(store, ...p.opening)
  let isAnswered = false
  const saying = say(store, 'c').then(() => {
    isAnswered = true
  })
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect([isAnswered, told.length]).toEqual([false, 2])
  expect(contractsIn(store, p.id)).toEqual(['c'])
  finish()
  await saying
  expect(told).toHaveLength(3)
  expectSigned(told)
  await close(store)
  for (const compactBytes of [1e9, 1, 1]) {
    const { store: again } = await openOn(disk, { compactBytes })
    expectSigned(statementsIn(again))
    expect(contractsIn(again, p.id)).toEqual(['c'])
    await close(again)
  }
})

test('what cannot be signed is taken back with all that was decided on it, and the next word is taken', async () => {
  let isBroken = true
  const disk = new SimulatedDisk()
  const sign = async (id: string) => {
    if (isBroken) throw new Error('no such key')
    return AUTHOR.signature(id)
  }
  const { store } = await openOn(disk, { sign })
  await keep(store, ...p.opening)
  const before = { shown: contentOf(store.view), health: store.health() }
  const refused = [say(store, 'c1'), keep(store, p.contract('c2')), say(store, 'c3')]
  const read = look(store, () => contractsIn(store, p.id))
  for (const one of refused)
    await expect(one).rejects.toMatchObject({ kind: 'unavailable', message: /could not be signed/ })
  expect(await read).toEqual([])
  expect({ shown: contentOf(store.view), health: store.health() }).toEqual(before)
  isBroken = false
  await say(store, 'c4')
  expect(contractsIn(store, p.id)).toEqual(['c4'])
})

test('a statement that is known, or older than what is kept, is neither written nor told, and takes no place', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const told: number[] = []
  store.onDurable((changes) => void told.push(...changes.map(({ seq }) => seq)))
  await keep(store, ...p.opening, p.founding, p.describe('service', 5), p.describe('server', 4))
  const journal = disk.contentOf(`${DIRECTORY}/journal.1`)?.length
  await keep(store, ...p.opening, p.describe('server', 4))
  const more = [p.contract('c'), p.contract('c'), p.contract('d')]
  expect((disk.contentOf(`${DIRECTORY}/journal.1`)?.length ?? 0) - (journal ?? 0)).toBeLessThan(100)
  await keep(store, ...more)
  expect(told).toEqual([1, 2, 3, 4, 5])
  expect(store.health()).toMatchObject({ seq: 5, statements: 5 })
})

const SECRET = { text: 'the secret word' }
const holdsSecret = (disk: SimulatedDisk, path: string) =>
  disk.contentOf(`${DIRECTORY}/${path}`)?.includes('the secret word')

test('what is redacted leaves memory at once and the disk with the next snapshot, and never comes back', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const packet = p.packet('k', { content: SECRET })
  await keep(store, ...p.opening, packet)
  await keep(store, p.redact(packet))
  expect(JSON.stringify(statementsIn(store))).not.toContain('the secret word')
  await keep(store, packet)
  expect(store.health().seq).toBe(4)
  await close(store)
  for (const compactBytes of [1e9, 1, 1]) {
    const { store: again } = await openOn(disk, { compactBytes })
    expect(JSON.stringify(statementsIn(again))).not.toContain('the secret word')
    expect(again.view.projects.get(p.id)?.packets.get(packet.about)).toMatchObject({ content: null })
    expectSigned(statementsIn(again))
    await close(again)
  }
  expect(disk.paths().filter((path) => holdsSecret(disk, path.slice(DIRECTORY.length + 1)))).toEqual([])
})

test('a revision in force keeps its content, and loses it when another one takes its place', async () => {
  const { store } = await openOn(new SimulatedDisk())
  const first = p.contract('c', { content: SECRET })
  const second = p.revise(first)
  await keep(store, ...p.opening, first, p.answer(first, 'agree'), p.redact(first))
  expect(JSON.stringify(statementsIn(store))).toContain('the secret word')
  await keep(store, second)
  expect(JSON.stringify(statementsIn(store))).toContain('the secret word')
  await keep(store, p.answer(second, 'agree', 9))
  expect(JSON.stringify(statementsIn(store))).not.toContain('the secret word')
})

test('a content that came back when its revision came into force is there after every start', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const first = p.contract('c', { content: SECRET })
  await keep(store, ...p.opening, first)
  await keep(store, p.redact(first))
  expect(JSON.stringify(statementsIn(store))).not.toContain('the secret word')
  await keep(store, p.answer(first, 'agree'))
  await keep(store, first)
  expect(JSON.stringify(statementsIn(store))).toContain('the secret word')
  await close(store)
  for (const compactBytes of [1e9, 1, 1]) {
    const { store: again } = await openOn(disk, { compactBytes })
    expect(JSON.stringify(statementsIn(again))).toContain('the secret word')
    await close(again)
  }
})

test('a snapshot that holds what was still being signed, and redacted at once, is replayed to the same', async () => {
  const disk = new SimulatedDisk()
  const { sign, finish } = slowSigner()
  const { store } = await openOn(disk, { sign, compactBytes: 1 })
  const unsigned = p.unsignedContract('c', { content: SECRET })
  const release = disk.hold()
  const opening = keep(store, ...p.opening)
  const saying = store.commit(() => ({ result: undefined, says: [unsigned] }))
  const redacting = keep(store, p.redact({ ...unsigned, sig: '' }))
  release()
  finish()
  await Promise.all([opening, saying, redacting])
  await expect.poll(() => disk.paths().some((path) => path.endsWith('journal.2'))).toBe(true)
  expectSigned(statementsIn(store))
  const shown = contentOf(store.view)
  await close(store)
  for (let start = 0; start < 3; start++) {
    const { store: again } = await openOn(disk, { compactBytes: 1 })
    expectSigned(statementsIn(again))
    expect(JSON.stringify(statementsIn(again))).not.toContain('the secret word')
    expect(contentOf(again.view)).toEqual(shown)
    await close(again)
  }
})

test('more than the disk takes is refused for the moment, while reading goes on', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  await keep(store, ...p.opening)
  const release = disk.hold()
  const content = { text: 'x'.repeat(256 * 1024) }
  const outcomes = Array.from({ length: 260 }, (_, number) =>
    faultOf(keep(store, p.contract(`c${number}`, { content }))),
  )
  expect(await Promise.all(outcomes.slice(-3))).toEqual(['busy', 'busy', 'busy'])
  expect(contractsIn(store, p.id)).toHaveLength(256)
  release()
  expect((await Promise.all(outcomes)).filter((kind) => kind === undefined)).toHaveLength(256)
  await keep(store, p.contract('next', { content }))
})
