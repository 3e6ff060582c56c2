import { describe, expect, test } from 'vitest'
import { packetChange } from '../../src/domain/change.ts'
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
})
