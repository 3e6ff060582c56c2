import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/domain/change.ts'
import { swapped } from '../../../src/domain/search/words.ts'
import { ChangeLog } from '../../../src/engine/log/change-log.ts'
import type { Store } from '../../../src/engine/ports/ports.ts'
import { SearchIndex } from '../../../src/engine/search/search-index.ts'
import { at, packet, viewOf } from '../../domain/builders.ts'
import { proposed } from '../../domain/story.ts'

/** A packet and what it says now. */
interface Said extends Change {
  readonly text: string | null
}

const said = (seq: number, text: string | null, id = `k${seq}`): Said => ({
  kind: 'packet',
  project_id: 'p1',
  id,
  seq,
  isWide: false,
  text,
})

function indexing(first: readonly Said[]) {
  const seen = { pauses: 0 }
  const texts = new Map<string, string | null>()
  const note = (changes: readonly Said[]) => {
    for (const { id, text } of changes) texts.set(id, text)
    return changes
  }
  const log = new ChangeLog(note(first))
  const get = (id: string) => {
    const text = texts.get(id) ?? null
    return packet({ packet_id: id, content: text === null ? null : { text } })
  }
  const found = { ...viewOf(), packets: { get } }
  const store = {
    view: { projects: { get: () => found } },
    commit: async (decide: () => unknown) => decide(),
  } as unknown as Store
  const index = new SearchIndex({ store, log, pause: async () => void seen.pauses++ })
  const find = async (text: string, limit = 3) => {
    seen.pauses = 0
    const kinds = new Set(['context'] as const)
    const { found, total } = await index.search({ text, limit, kinds, mayUse: () => true })
    return { ids: found.map(({ id }) => id), total, pauses: seen.pauses }
  }
  return { find, record: (changes: readonly Said[]) => log.record(note(changes)) }
}

describe('the index of words', () => {
  test('finds the best of what nearly everything says, and lets others have their turn meanwhile', async () => {
    const { find } = indexing(
      Array.from({ length: 5000 }, (_, at) =>
        said(at + 1, at === 4711 ? 'login token zeppelin' : 'login token'),
      ),
    )
    await find('login')
    expect(await find('login token zeppelin', 1)).toEqual({ ids: ['k4712'], total: 5000, pauses: 2 })
    expect(await find('zepelin')).toMatchObject({ ids: ['k4712'], total: 1 })
  })

  test('grows with what comes later, and forgets what was said before', async () => {
    const { find, record } = indexing([said(1, 'zeppelin')])
    expect(await find('zeppelin')).toEqual({ ids: ['k1'], total: 1, pauses: 0 })
    record(Array.from({ length: 3000 }, (_, at) => said(at + 2, 'balloon')))
    record([said(4000, 'airship', 'k1'), said(4001, 'airship')])
    expect(await find('zeppelin')).toMatchObject({ ids: [], total: 0 })
    expect((await find('airship')).ids.toSorted()).toEqual(['k1', 'k4001'])
    expect(await find('balloon')).toMatchObject({ total: 3000, pauses: 1 })
  })

  test('finds nothing any more of what was taken away', async () => {
    const { find, record } = indexing([said(1, 'zeppelin'), said(2, 'zeppelin')])
    expect(await find('zeppelin')).toMatchObject({ total: 2 })
    record([said(3, null, 'k1')])
    expect(await find('zeppelin')).toMatchObject({ ids: ['k2'], total: 1 })
    record([said(4, 'zeppelin', 'k1')])
    expect(await find('zeppelin')).toMatchObject({ total: 2 })
  })

  test('rests after every long text that it takes in', async () => {
    const long = Array.from({ length: 4000 }, (_, word) => `w${word}`).join(' ')
    const { find } = indexing(Array.from({ length: 4 }, (_, at) => said(at + 1, long)))
    expect(await find('zeppelin')).toMatchObject({ pauses: 4 })
  })

  test.each([
    ['left out', 'logn'],
    ['added', 'loggin'],
    ['wrong', 'logan'],
    ['swapped with its neighbour', 'Lgoin'],
    ['swapped at the end', 'logni'],
    ['left out of a short word', 'toke'],
    ['swapped in a short word', 'uesr'],
    ['swapped in a long word', 'paymnets'],
    ['swapped and one wrong in a long word', 'autehnticatiom'],
  ])('forgives a letter that is %s: %s', async (_how, query) => {
    const words = ['login', 'token', 'user', 'payments', 'authentication', 'zeppelin']
    const { find } = indexing(words.map((word, at) => said(at + 1, word)))
    expect((await find(query)).total).toBe(1)
  })

  test('puts what was typed before what it may have been meant to be', async () => {
    const { find } = indexing([said(1, 'form'), said(2, 'from'), said(3, 'farm')])
    expect((await find('form')).ids[0]).toBe('k1')
    expect((await find('from')).ids[0]).toBe('k2')
  })

  test('asks for few words more, however long a query is', () => {
    for (const word of ['a', 'abc', 'abcdefgh', 'x'.repeat(64)]) expect(swapped(word)).toEqual([])
    expect(swapped('login')).toEqual(['olgin', 'lgoin', 'loign', 'logni'])
    expect(swapped('aaaa')).toEqual([])
    expect(swapped('abcdefg')).toHaveLength(6)
  })
})

test('answers to a contract are found by their words, and not any more when they are taken away', async () => {
  const { story, revision } = proposed()
  const answer = story.answers('frontend', revision, 'request_change', at(11))
  const change = { kind: 'contract', project_id: story.projectId, id: revision.about, isWide: false } as const
  const log = new ChangeLog([{ ...change, seq: 1 }])
  const store = {
    get view() {
      return story.view
    },
    commit: async (decide: () => unknown) => decide(),
  } as unknown as Store
  const index = new SearchIndex({ store, log, pause: async () => {} })
  const find = async () => {
    const kinds = new Set(['response'] as const)
    const { found } = await index.search({ text: 'request_change', limit: 3, kinds, mayUse: () => true })
    return found.map(({ id }) => id)
  }
  expect(await find()).toEqual([answer.id])
  story.redacts('frontend', answer, at(12))
  log.record([{ ...change, seq: 2 }])
  expect(await find()).toEqual([])
})
