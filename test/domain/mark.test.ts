import { expect, test } from 'vitest'
import { openDesk } from '../support/desk.ts'

const as = (name: string) => ({
  caller: { kind: 'peer' as const, agentId: `aid://example.com/${name}@1.0.0`, repoName: name },
})

test('a peer moves its own mark only, and leaves one behind whatever it says of its store', async () => {
  await using desk = await openDesk()
  const mark = (name: string, storeId: string, after: number, seq: number) =>
    desk.send('cacp/sync/mark', { storeId, after, seq }, as(name))
  await mark('frontend', 'store-1', 0, 10)
  // Another one that says it is that store is told to begin from the start, and moves nothing.
  await expect(mark('mobile', 'store-1', 10, 20)).rejects.toMatchObject({ kind: 'conflict' })
  await mark('mobile', 'store-1', 0, 1000)
  await expect(mark('frontend', 'store-1', 11, 12)).rejects.toMatchObject({ kind: 'conflict' })
  await mark('frontend', 'store-1', 10, 12)

  for (let store = 2; store < 20; store++) await mark('frontend', `store-${store}`, 0, 5)
  await expect(mark('frontend', 'store-1', 12, 13)).rejects.toMatchObject({ kind: 'conflict' })
  await mark('frontend', 'store-19', 5, 6)
})
