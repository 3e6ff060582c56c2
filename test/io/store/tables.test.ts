import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Change,
  contractChange,
  packetChange,
  projectChange,
  repoChange,
} from '../../../src/domain/change.ts'
import { serializeLocal, serializeShared } from '../../../src/io/store/entry.ts'
import { Quota } from '../../../src/io/store/quota.ts'
import { Tables, type Undo } from '../../../src/io/store/tables.ts'
import { answer, contract, packet, peer, project, repo, stampAt } from './entities.ts'

function tablesWith(...changes: Change[]) {
  const quota = new Quota(1e9)
  const tables = new Tables(quota, () => stampAt(0))
  const apply = (change: Change) => tables.apply(serializeShared(change, tables.seq + 1).entry)
  for (const change of changes) apply(change)
  return { tables, quota, apply }
}

test('repos list by name, contracts and packets by the moment they were made', () => {
  const { tables } = tablesWith(
    projectChange(project('p')),
    repoChange('p', repo('r2', 'alpha')),
    repoChange('p', repo('r1', 'beta')),
    contractChange('p', contract('c1', { second: 2 })),
    contractChange('p', contract('c2', { second: 1 })),
    packetChange('p', packet('k1', { second: 2 })),
    packetChange('p', packet('k2', { second: 1 })),
  )
  const shown = tables.projects.get('p')
  expect([...(shown?.repos.oldestFirst() ?? [])].map((one) => one.name)).toEqual(['alpha', 'beta'])
  expect([...(shown?.contracts.oldestFirst() ?? [])].map((one) => one.contract_id)).toEqual(['c2', 'c1'])
  expect([...(shown?.packets.oldestFirst() ?? [])].map((one) => one.packet_id)).toEqual(['k2', 'k1'])
})

test('a project that changes keeps its parts', () => {
  const { tables } = tablesWith(
    projectChange(project('p')),
    repoChange('p', repo('r1')),
    projectChange(project('p', { name: 'renamed', second: 5 })),
  )
  expect(tables.projects.get('p')?.project.name.value).toBe('renamed')
  expect(tables.projects.get('p')?.repos.size).toBe(1)
  expect(tables.entities).toBe(2)
})

test('replies are found by what they answer, also after a merge has moved them', () => {
  const { tables, apply } = tablesWith(
    projectChange(project('p')),
    packetChange('p', packet('question')),
    packetChange('p', packet('late', { second: 2, replyTo: 'question' })),
    packetChange('p', packet('early', { second: 1, replyTo: 'question' })),
  )
  const replies = (id: string) =>
    [...(tables.projects.get('p')?.repliesTo(id) ?? [])].map((one) => one.packet_id)
  expect(replies('question')).toEqual(['early', 'late'])
  expect(replies('early')).toEqual([])

  const undo = apply(packetChange('p', packet('early', { second: 3, replyTo: 'late' })))
  expect(replies('question')).toEqual(['late'])
  expect(replies('late')).toEqual(['early'])
  undo()
  expect(replies('question')).toEqual(['early', 'late'])
})

test('packets are found by the file that they name, and not any more when they name it no longer', () => {
  const about = (id: string, sha256: string | null) =>
    packetChange('p', packet(id, { content: sha256 === null ? {} : { file: { name: 'a.bin', sha256 } } }))
  const { tables, apply } = tablesWith(projectChange(project('p')), about('1', 'aa'), about('2', 'bb'))
  const naming = (sha256: string) =>
    [...(tables.projects.get('p')?.packetsNaming(sha256) ?? [])].map((one) => one.packet_id)
  apply(about('3', 'aa'))
  expect(naming('aa')).toEqual(['1', '3'])
  const undo = apply(about('1', null))
  expect(naming('aa')).toEqual(['3'])
  undo()
  expect(naming('aa')).toEqual(['1', '3'])
  expect(naming('bb')).toEqual(['2'])
})

test('a part without its project is a programming error', () => {
  const { apply } = tablesWith()
  expect(() => apply(repoChange('nowhere', repo('r1')))).toThrow(TypeError)
})

test('what is applied and taken back in reverse order was never there', () => {
  const place = { id: fc.constantFrom('1', '2', '3'), second: fc.nat(3) }
  const shared = fc.oneof(
    fc.record(place).map(({ id, second }) => projectChange(project(`p${id}`, { second }))),
    fc.record(place).map(({ id, second }) => contractChange('p0', contract(id, { second }))),
    fc
      .record({ ...place, replyTo: fc.option(fc.constantFrom('1', '2')) })
      .map(({ id, second, replyTo }) => packetChange('p0', packet(id, { second, replyTo }))),
  )
  const local = fc.oneof(
    fc.record(place).map(({ id, second }) => ({ table: 'peer' as const, id, value: peer(id, second) })),
    fc.record(place).map(({ id }) => ({ table: 'peer' as const, id, value: null })),
    fc.record(place).map(({ id }) => ({ table: 'answer' as const, id, value: answer(id) })),
    fc.record(place).map(({ id }) => ({ table: 'answer' as const, id, value: null })),
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(shared, local), { maxLength: 30 }), (changes) => {
      const { tables, quota, apply } = tablesWith(
        projectChange(project('p0')),
        contractChange('p0', contract('1')),
      )
      const observed = () => ({
        ...tables.copyEntries(),
        seq: tables.seq,
        entities: tables.entities,
        used: quota.used,
      })
      const before = observed()
      const undos: Undo[] = changes.map((change) =>
        'kind' in change ? apply(change) : tables.apply(serializeLocal(change).entry),
      )
      const { entities, local: kept } = tables.copyEntries()
      expect(quota.used).toBe([...entities, ...kept].reduce((sum, entry) => sum + entry.bytes, 0))
      for (const undo of undos.toReversed()) undo()
      expect(observed()).toEqual(before)
    }),
  )
})
