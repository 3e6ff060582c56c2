import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LocalChange } from '../../../../src/domain/change.ts'
import type { Statement } from '../../../../src/domain/statements/statement.ts'
import { serializeLocal, serializeReceived } from '../../../../src/io/store/journal/entry.ts'
import type { Undo } from '../../../../src/io/store/tables/redacted-contents.ts'
import { Tables } from '../../../../src/io/store/tables/tables.ts'
import { answer, peer, stampAt, TestProject } from '../entities.ts'
import { contentOf } from '../opened.ts'

const p = new TestProject('p')

function tablesWith(...statements: Statement[]) {
  const tables = new Tables(() => stampAt(0))
  /** As one decision. */
  const apply = (statement: Statement): Undo | undefined => {
    const undo = tables.apply(serializeReceived(statement, tables.seq + 1).entry)
    if (undo === undefined) return undefined
    const restore = tables.strip()
    return () => {
      restore()
      undo()
    }
  }
  for (const one of statements) apply(one)
  return { tables, apply }
}

const namesOf = (packets: Iterable<{ content: unknown }> | undefined) =>
  Array.from(packets ?? [], ({ content }) => (content as { name: string }).name)

const shownIn = ({ projects, local }: Tables) => contentOf({ projects, peers: local.peer })

test('repos list by name, contracts and packets by the moment they were made', () => {
  const { tables } = tablesWith(
    ...p.opening,
    p.nameRepo('zeta'),
    p.nameRepo('alpha'),
    p.contract('c1', { second: 2 }),
    p.contract('c2', { second: 1 }),
    p.packet('k1', { second: 2 }),
    p.packet('k2', { second: 1 }),
  )
  const shown = tables.projects.get(p.id)
  expect([...(shown?.repos.oldestFirst() ?? [])].map((one) => one.name)).toEqual(['alpha', 'backend', 'zeta'])
  expect([...(shown?.contracts.oldestFirst() ?? [])].map((one) => one.name)).toEqual(['c2', 'c1'])
  expect(namesOf(shown?.packets.oldestFirst())).toEqual(['k2', 'k1'])
  expect([shown?.repos.size, shown?.contracts.size, shown?.packets.size]).toEqual([3, 2, 2])
})

test('a project is another object after every change of it', () => {
  const { tables, apply } = tablesWith(...p.opening)
  const before = tables.projects.get(p.id)
  apply(p.contract('c'))
  expect(tables.projects.get(p.id)).not.toBe(before)
  expect(tables.statements).toBe(3)
})

test('what is known, or older than what is kept, changes nothing and takes no place in the order', () => {
  const { tables, apply } = tablesWith(...p.opening, p.describe('service', 5))
  const before = { seq: tables.seq, shown: shownIn(tables) }
  expect(apply(p.founding)).toBeUndefined()
  expect(apply(p.describe('server', 4))).toBeUndefined()
  expect({ seq: tables.seq, shown: shownIn(tables) }).toEqual(before)
})

test('replies are found by what they answer', () => {
  const question = p.packet('question')
  const early = p.packet('early', { second: 1, replyTo: question })
  const { tables, apply } = tablesWith(
    ...p.opening,
    question,
    p.packet('late', { second: 2, replyTo: question }),
  )
  const replies = (to: Statement) => namesOf(tables.projects.get(p.id)?.repliesTo(to.about))
  const undo = apply(early)
  expect(replies(question)).toEqual(['early', 'late'])
  expect(replies(early)).toEqual([])
  undo?.()
  expect(replies(question)).toEqual(['late'])
})

test('packets are found by the file that they name, and not any more when that was taken away', () => {
  const about = (name: string, sha256: string) =>
    p.packet(name, { content: { file: { name: 'a.bin', sha256 } } })
  const first = about('1', 'aa')
  const { tables, apply } = tablesWith(...p.opening, first, about('2', 'bb'), about('3', 'aa'))
  const naming = (sha256: string) => namesOf(tables.projects.get(p.id)?.packetsNaming(sha256)).sort()
  const projects = (sha256: string) => [...tables.projectsNaming(sha256)].length
  expect(naming('aa')).toEqual(['1', '3'])
  const undo = apply(p.redact(first))
  expect(naming('aa')).toEqual(['3'])
  undo?.()
  expect(naming('aa')).toEqual(['1', '3'])
  const undoSecond = apply(about('4', 'cc'))
  expect(projects('cc')).toBe(1)
  undoSecond?.()
  expect([projects('aa'), projects('bb'), projects('cc')]).toEqual([1, 1, 0])
})

test('a part without its project is a programming error', () => {
  const { apply } = tablesWith()
  expect(() => apply(p.claim)).toThrow(TypeError)
})

test('what is applied and taken back in reverse order was never there', () => {
  const opened = ['1', '2', '3'].map((name) => p.contract(name, { second: Number(name) }))
  const packets = ['1', '2', '3'].map((name) =>
    p.packet(name, { second: Number(name), content: { file: { sha256: 'aa' } } }),
  )
  const second = fc.integer({ min: 4, max: 9 })
  const shared = fc.oneof(
    fc.constantFrom('q', 'r').map((name) => new TestProject(name).founding),
    fc.constantFrom(...opened, ...packets),
    fc.tuple(fc.constantFrom(...opened), second).map(([of, at]) => p.revise(of, { second: at })),
    fc.tuple(fc.constantFrom(...opened), second).map(([of, at]) => p.answer(of, 'agree', at)),
    fc.tuple(fc.constantFrom(...opened, ...packets), second).map(([of, at]) => p.redact(of, at)),
    fc
      .tuple(fc.constantFrom(...packets), second)
      .map(([replyTo, at]) => p.packet(`re ${at}`, { replyTo, second: at })),
    second.map((at) => p.describe(`role ${at}`, at)),
    fc.constantFrom('web', 'app').map((name) => p.nameRepo(name)),
    fc.constantFrom('web', 'app').map((name) => p.claimOf(name)),
  )
  const id = fc.constantFrom('1', '2', '3')
  const local = fc.oneof(
    fc.tuple(id, second).map(([id, at]): LocalChange => ({ table: 'peer', id, value: peer(id, at) })),
    id.map((id): LocalChange => ({ table: 'peer', id, value: null })),
    id.map((id): LocalChange => ({ table: 'answer', id, value: answer(id) })),
    id.map((id): LocalChange => ({ table: 'answer', id, value: null })),
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(shared, local), { maxLength: 30 }), fc.nat(30), (changes, looks) => {
      const { tables, apply } = tablesWith(...p.opening, ...opened, ...packets)
      const observed = () => {
        const found = tables.projects.get(p.id)
        return {
          ...tables.copyEntries(),
          seq: tables.seq,
          statements: tables.statements,
          shown: shownIn(tables),
          sizes: [found?.repos.size, found?.contracts.size, found?.packets.size],
          naming: [...tables.projectsNaming('aa')].length,
          replies: packets.map(({ about }) => namesOf(found?.repliesTo(about))),
          files: namesOf(found?.packetsNaming('aa')),
          seqs: [...opened, ...packets].map(({ about }) => found?.seqOf('contract', about)),
          newest: [...opened, ...packets].map(({ about }) => found?.newestAbout(about)),
          volume: found?.said.volumeOf(p.claim.key),
        }
      }
      const before = observed()
      const undos: (Undo | undefined)[] = changes.map((change, index) => {
        if (index === looks) observed()
        return 'kind' in change ? apply(change) : tables.apply(serializeLocal(change).entry)
      })
      for (const undo of undos.toReversed()) undo?.()
      expect(observed()).toEqual(before)
    }),
    { numRuns: 1000 },
  )
})
