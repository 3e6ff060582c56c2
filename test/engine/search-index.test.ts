import { describe, expect, test } from 'vitest'
import { packetChange } from '../../src/domain/change.ts'
import { swapped } from '../../src/domain/search-words.ts'
import { ChangeLog } from '../../src/engine/change-log.ts'
import type { SequencedChange } from '../../src/engine/ports.ts'
import { SearchIndex } from '../../src/engine/search-index.ts'
import { packet } from '../domain/builders.ts'

const said = (seq: number, text: string, id = `k${seq}`): SequencedChange => ({
  ...packetChange('p1', packet({ packet_id: id, content: { text } })),
  seq,
})

function indexing(log: ChangeLog) {
  const seen = { pauses: 0 }
  const index = new SearchIndex(log, async () => void seen.pauses++)
  const find = async (text: string, limit = 3) => {
    seen.pauses = 0
    const kinds = new Set(['context'] as const)
    const { found, total } = await index.search({ text, limit, kinds, mayUse: () => true })
    return { ids: found.map(({ id }) => id), total, pauses: seen.pauses }
  }
  return { find }
}

describe('the index of words', () => {
  test('finds the best of what nearly everything says, and lets others have their turn meanwhile', async () => {
    const log = new ChangeLog(
      Array.from({ length: 5000 }, (_, at) =>
        said(at + 1, at === 4711 ? 'login token zeppelin' : 'login token'),
      ),
    )
    const { find } = indexing(log)
    await find('login')
    expect(await find('login token zeppelin', 1)).toEqual({ ids: ['k4712'], total: 5000, pauses: 2 })
    expect(await find('zepelin')).toMatchObject({ ids: ['k4712'], total: 1 })
  })

  test('grows with what comes later, and forgets what was said before', async () => {
    const log = new ChangeLog([said(1, 'zeppelin')])
    const { find } = indexing(log)
    expect(await find('zeppelin')).toEqual({ ids: ['k1'], total: 1, pauses: 0 })
    log.record(Array.from({ length: 3000 }, (_, at) => said(at + 2, 'balloon')))
    log.record([said(4000, 'airship', 'k1'), said(4001, 'airship')])
    expect(await find('zeppelin')).toMatchObject({ ids: [], total: 0 })
    expect((await find('airship')).ids.toSorted()).toEqual(['k1', 'k4001'])
    expect(await find('balloon')).toMatchObject({ total: 3000, pauses: 1 })
  })

  test('rests after every long text that it takes in', async () => {
    const long = Array.from({ length: 4000 }, (_, word) => `w${word}`).join(' ')
    const log = new ChangeLog(Array.from({ length: 4 }, (_, at) => said(at + 1, long)))
    const { find } = indexing(log)
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
    const { find } = indexing(new ChangeLog(words.map((word, at) => said(at + 1, word))))
    expect((await find(query)).total).toBe(1)
  })

  test('puts what was typed before what it may have been meant to be', async () => {
    const { find } = indexing(new ChangeLog([said(1, 'form'), said(2, 'from'), said(3, 'farm')]))
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
