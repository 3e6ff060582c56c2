import { expect, test } from 'vitest'
import type { LocalChange } from '../../../src/domain/change.ts'
import { idOf } from '../../../src/domain/statements/statement.ts'
import type { IssuedToken } from '../../../src/domain/trust/trust.ts'
import { silent } from '../../../src/io/store/store-log.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { canonicalText } from '../../../src/protocol/json/canonical.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { AUTHOR, answer, peer, stampAt, TestProject } from './entities.ts'
import { close, contentOf, faultOf, keep, look, openOn } from './opened.ts'

const p = new TestProject('p')

test('a commit answers only when its changes are durable', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const release = disk.hold()
  let isAnswered = false
  const commit = keep(store, ...p.opening).then(() => {
    isAnswered = true
  })
  await turns()
  expect(isAnswered).toBe(false)
  expect(store.view.projects.size).toBe(1)
  release()
  await commit

  disk.crash()
  const { store: again } = await openOn(disk)
  expect(again.view.projects.get(p.id)?.project).toMatchObject({ project_id: p.id, name: 'p' })
})

test('one that fails to take note of what is durable is logged with the cause, and keeps nobody else from it', async () => {
  const logged: object[] = []
  const log = { ...silent, error: (details: object) => void logged.push(details) }
  const { store } = await openOn(new SimulatedDisk(), { log })
  const cause = new TypeError('cannot take this')
  const heard: number[] = []
  store.onDurable(() => {
    throw cause
  })
  store.onDurable((changes) => void heard.push(changes.length))
  await keep(store, ...p.opening)
  await keep(store, ...new TestProject('q').opening, ...new TestProject('r').opening)
  expect(heard).toEqual([2, 4])
  expect(logged).toEqual([{ err: cause }, { err: cause }])
  expect(await look(store, (view) => view.projects.size)).toBe(3)
  await close(store)
})

test('a read waits for what it has seen, and does not wait when all of that is durable', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const release = disk.hold()
  const commit = keep(store, ...p.opening)
  let seen: number | undefined
  const read = look(store, (view) => view.projects.size).then((size) => {
    seen = size
  })
  await turns()
  expect(seen).toBeUndefined()
  release()
  await Promise.all([commit, read])
  expect(seen).toBe(1)

  disk.hold()
  expect(await look(store, (view) => view.projects.size)).toBe(1)
})

test('a decision that throws leaves nothing behind', async () => {
  const { store } = await openOn(new SimulatedDisk())
  const refusal = new Fault('conflict', 'no')
  const before = store.health()
  await expect(
    store.commit(() => {
      throw refusal
    }),
  ).rejects.toBe(refusal)
  expect(store.health()).toEqual(before)
})

test('the changes of a commit come back after a restart together, with local matters and in order', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const question = p.packet('k0')
  await store.commit(() => ({
    result: undefined,
    takes: [
      ...p.opening,
      p.contract('c2', { second: 2 }),
      p.contract('c1', { second: 1 }),
      question,
      p.packet('k1', { replyTo: question, second: 1 }),
      p.describe('backend'),
      p.describe('service', 2),
    ],
    local: [
      { table: 'peer', id: 'a', value: peer('a') },
      { table: 'peer', id: 'b', value: peer('b') },
      { table: 'answer', id: 'key', value: answer('key') },
    ],
  }))
  await store.commit(() => ({ result: undefined, local: [{ table: 'peer', id: 'a', value: null }] }))
  const before = contentOf(store.view)
  const health = store.health()
  await close(store)

  const { store: again } = await openOn(disk)
  expect(contentOf(again.view)).toEqual(before)
  expect(again.health()).toEqual(health)
  expect(again.health()).toMatchObject({
    seq: 8,
    statements: 7,
    projects: 1,
    recovered: false,
    status: 'healthy',
  })
  expect(again.view.answer('key')).toEqual(answer('key'))
  expect([...(again.view.projects.get(p.id)?.repliesTo(question.about) ?? [])]).toMatchObject([
    { content: { name: 'k1' } },
  ])
})

test('content comes back equal whatever its keys and letters are', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const content = JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":1,"":"","ü\\u0000\\u2028\\ud83d\\ude00":"\\n"}',
  )
  await keep(store, ...p.opening, p.contract('c', { content }))
  await close(store)

  for (const compactBytes of [1, 1e9]) {
    const { store: again } = await openOn(disk, { compactBytes })
    const found = again.view.projects.get(p.id)
    const shown = [...(found?.contracts.oldestFirst() ?? [])][0]?.head.content ?? {}
    expect(canonicalText(shown)).toBe(canonicalText(content))
    expect(Object.hasOwn(shown, '__proto__')).toBe(true)
    for (const { id, sig, ...said } of found?.said ?? []) {
      expect(idOf(said)).toBe(id)
      expect(AUTHOR.signature(id)).toBe(sig)
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    await close(again)
  }
})

test('what does not fit into the quota is refused, and what takes something away is not', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const content = { text: 'x'.repeat(1000) }
  await keep(store, ...p.opening, p.contract('c', { content }))
  await close(store)

  const { store: small } = await openOn(disk, { quotaBytes: 500 })
  const { problem: _, ...before } = small.health()
  expect(await faultOf(keep(small, p.contract('d')))).toBe('storage_full')
  expect(small.health()).toMatchObject({ seq: before.seq, statements: before.statements })
  expect(await faultOf(keep(small, p.contract('c', { content })))).toBeUndefined()
  await small.commit(() => ({ result: undefined, local: [{ table: 'peer', id: 'a', value: null }] }))
})

test('what others say never fills the whole quota, so that this daemon can still say something', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk, { quotaBytes: 20_000 })
  await keep(store, ...p.opening)
  const contracts = Array.from({ length: 40 }, (_, index) =>
    p.contract(`c${index}`, { content: { text: 'x'.repeat(1000) } }),
  )
  const kinds = []
  for (const one of contracts) kinds.push(await faultOf(keep(store, one)))
  expect(kinds.at(-1)).toBe('storage_full')
  const own = store.commit(() => ({ says: [p.unsignedContract('own')], result: undefined }))
  expect(await faultOf(own)).toBeUndefined()
})

test('in a full store somebody can still be shut out or let in, and nothing else is kept beside that', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const content = { text: 'x'.repeat(1000) }
  await keep(store, ...p.opening, p.contract('c', { content }))
  await close(store)

  const { store: full } = await openOn(disk, { quotaBytes: 500 })
  const token = tokenOf('t')
  const keepRows = (...local: LocalChange[]) => full.commit(() => ({ result: undefined, local }))
  await keepRows({ table: 'token', id: 't', value: token })
  await keepRows(
    { table: 'token', id: 't', value: { ...token, revoked_at: stampAt(1) } },
    { table: 'answer', id: 'k', value: answer('k') },
  )
  expect(full.view.tokens.get('t')?.revoked_at).toBe(stampAt(1))
  expect(await faultOf(keepRows({ table: 'answer', id: 'l', value: answer('l') }))).toBe('storage_full')
  const beside = full.commit(() => ({
    result: undefined,
    local: [{ table: 'token', id: 'u', value: token }],
    takes: [p.contract('d')],
  }))
  expect(await faultOf(beside)).toBe('storage_full')
  expect(full.view.tokens.get('u')).toBeUndefined()
})

const tokenOf = (token_id: string): IssuedToken => ({
  token_id,
  project_id: 'p',
  subject: 'aid://example.com/frontend@1.0.0',
  permissions: ['file:share'],
  issued_at: stampAt(0),
  expires_at: stampAt(60),
  revoked_at: null,
})

test('closing finishes what is under way and refuses what comes after', async () => {
  const disk = new SimulatedDisk()
  const { store, files } = await openOn(disk)
  const commit = keep(store, ...p.opening)
  await Promise.all([close(store), close(store)])
  await commit
  expect(await faultOf(keep(store, ...new TestProject('q').opening))).toBe('unavailable')
  expect(await faultOf(look(store, () => 1))).toBe('unavailable')
  expect(await faultOf(files.put((async function* () {})(), 1))).toBe('unavailable')

  const { store: again } = await openOn(disk)
  expect(again.view.projects.size).toBe(1)
})

/** Long enough for everything that can happen by itself. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}
