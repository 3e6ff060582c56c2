import { expect, test } from 'vitest'
import { redate } from '../../../src/domain/speaking/redate.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import type { SequencedStatement, Store } from '../../../src/engine/ports/ports.ts'
import { EARLIEST } from '../../../src/protocol/stamp.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { AUTHOR, stampAt, TestProject } from './entities.ts'
import { close, contentOf, contractsIn, keep, openOn } from './opened.ts'

const HOURS = 3600
const early = new TestProject('early')
const late = new TestProject('late', { second: 6 * HOURS })

const drop = (store: Store, ...statements: Statement[]) =>
  store.commit(() => ({ result: undefined, drops: statements }))

const shown = (store: Store) => ({ content: contentOf(store.view), statements: store.health().statements })

/** The same after every start, whatever was moved into the snapshot. */
async function expectKept(disk: SimulatedDisk, expected: unknown): Promise<void> {
  for (const compactBytes of [1e9, 1, 1]) {
    const { store } = await openOn(disk, { compactBytes })
    expect(shown(store)).toEqual(expected)
    await close(store)
  }
}

test('what is dropped is seen, told of and kept no more', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const contract = early.contract('c')
  const answer = early.answer(contract, 'agree')
  await keep(store, ...early.opening, contract)
  const before = { ...shown(store), newest: store.view.projects.get(early.id)?.newestAbout(contract.about) }
  await keep(store, answer, early.packet('k'))
  const told: SequencedStatement[] = []
  store.onDurable((changes) => void told.push(...changes))
  await drop(store, early.packet('k'), answer, early.contract('unknown'))
  expect({ ...shown(store), newest: store.view.projects.get(early.id)?.newestAbout(contract.about) }).toEqual(
    before,
  )
  expect(told).toMatchObject([
    { kind: 'packet', seq: 6, isDropped: true },
    { kind: 'contract', id: contract.about, seq: 7, isDropped: true },
  ])
  await close(store)
  await expectKept(disk, { content: before.content, statements: before.statements })
})

test('a project of which all is dropped is here no more', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  await keep(store, ...early.opening)
  const before = shown(store)
  await keep(store, ...late.opening, late.contract('c'))
  await drop(store, late.contract('c'), late.claim, late.founding)
  expect(store.view.projects.get(late.id)).toBeUndefined()
  expect(shown(store)).toEqual(before)
  await keep(store, early.contract('next'))
  expect(contractsIn(store, early.id)).toEqual(['next'])
  const after = shown(store)
  await close(store)
  await expectKept(disk, after)
})

test('what is said again takes the place of the old in one step, or nothing happens', async () => {
  let isBroken = true
  const sign = async (id: string) => {
    if (isBroken) throw new Error('no such key')
    return AUTHOR.signature(id)
  }
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk, { sign })
  const contract = late.contract('c', { second: 6 * HOURS + 1 })
  await keep(store, ...late.opening, late.describe('service', 6 * HOURS + 2), contract)
  await keep(
    store,
    late.answer(contract, 'agree', 6 * HOURS + 3),
    late.packet('k', { second: 6 * HOURS + 4 }),
  )
  const order = () => [...(store.view.projects.get(late.id)?.said ?? [])].map(({ id }) => id)
  const before = { ...shown(store), order: order(), health: store.health() }
  const again = () =>
    store.commit((view) => {
      const { says, drops } = redate(view.projects.get(late.id)?.said ?? [], {
        now: stampAt(60),
        key: AUTHOR.keyId,
        takenUntil: EARLIEST,
      })
      return { says, drops, result: says }
    })
  await expect(again()).rejects.toMatchObject({ kind: 'unavailable' })
  expect({ ...shown(store), order: order(), health: store.health() }).toEqual(before)

  isBroken = false
  const [founding] = await again()
  const projectId = founding?.project_id ?? ''
  expect(store.view.projects.get(late.id)).toBeUndefined()
  expect(store.health()).toMatchObject({ projects: 1, statements: 6, seq: 18 })
  expect(contractsIn(store, projectId)).toEqual(['c'])
  expect([...(store.view.projects.get(projectId)?.contracts.oldestFirst() ?? [])]).toMatchObject([
    { status: 'agreed', contract_id: expect.not.stringMatching(contract.about) },
  ])
  const after = shown(store)
  await close(store)
  await expectKept(disk, after)
})

test('a snapshot that lacks what was dropped while it was on its way to disk is replayed to the same', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk, { compactBytes: 1 })
  await keep(store, ...early.opening, ...late.opening)
  const release = disk.hold()
  const contract = late.contract('c')
  const all = [
    keep(store, early.contract('c')),
    keep(store, contract),
    drop(store, contract, late.claim, late.founding),
  ]
  release()
  await Promise.all(all)
  const after = shown(store)
  expect(after.content.projects).toHaveLength(1)
  await close(store)
  await expectKept(disk, after)
})
