import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idMeant, shortIds } from '../../../src/cli/output/short-ids.ts'

const MADE_TOGETHER = ['01a1e274-2f5d-7b1c-8a53-6d0e4c91f2b7', '01a1e274-30b2-7e60-b1d4-02c9a7f5e318']
const RANDOM = 'b8d1f3a7-06c2-4e94-a7b5-91c04d2e6f38'

describe('a short id', () => {
  test('has two groups, because the first one may be the time that others were made at, too', () => {
    expect([...MADE_TOGETHER, RANDOM].map(shortIds([...MADE_TOGETHER, RANDOM]))).toEqual([
      '01a1e274-2f5d',
      '01a1e274-30b2',
      'b8d1f3a7-06c2',
    ])
  })

  test('is as much longer as it takes to be the only one, and whole where nothing else is', () => {
    const sameMoment = '01a1e274-2f5d-7b1c-8a53-6d0e4c91f2b8'
    const ids = [...MADE_TOGETHER, sameMoment, '01a1e274-2f5d-7b1d-8a53-6d0e4c91f2b7']
    expect(ids.map(shortIds(ids))).toEqual([
      MADE_TOGETHER[0],
      '01a1e274-30b2',
      sameMoment,
      '01a1e274-2f5d-7b1d',
    ])
  })

  test('leaves what is no id of ours as it is, and what was not among the ids', () => {
    expect(['c1', 'aid://a/b@1.0.0', RANDOM].map(shortIds(['c1', 'aid://a/b@1.0.0']))).toEqual([
      'c1',
      'aid://a/b@1.0.0',
      RANDOM,
    ])
  })

  test('always means the id that it was made from', async () => {
    const ids = fc.array(fc.oneof(fc.uuid({ version: 7 }), fc.uuid(), fc.constantFrom(...MADE_TOGETHER)))
    await fc.assert(
      fc.asyncProperty(ids, async (all) => {
        const unique = [...new Set(all)]
        const short = shortIds(all)
        for (const id of unique) {
          expect(short(id).length).toBeGreaterThanOrEqual(6)
          expect(await idMeant(short(id), async () => unique)).toBe(id)
        }
      }),
    )
  })
})

describe('the beginning of an id', () => {
  const all = async () => MADE_TOGETHER

  test('that several have is refused with them', async () => {
    await expect(idMeant('01a1e274', all)).rejects.toThrow(
      `2 IDs begin with 01a1e274: ${MADE_TOGETHER.join(', ')}`,
    )
  })

  test('that none has, or that is too short, stays as it is', async () => {
    for (const word of ['nobody', '01a1e', RANDOM]) expect(await idMeant(word, all)).toBe(word)
  })
})
