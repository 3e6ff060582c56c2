import { expect, test } from 'vitest'
import type { SequencedStatement } from '../../../../src/engine/ports/ports.ts'
import { createGroupCommit } from '../../../../src/io/store/journal/group-commit.ts'
import { silent } from '../../../../src/io/store/store-log.ts'

test('one commit may change as much as there is', async () => {
  const commits = createGroupCommit(async () => {}, silent)
  let heard = 0
  commits.onDurable((entries) => {
    heard += entries.length
  })
  const entries = Array.from({ length: 200_000 }, () => ({}) as SequencedStatement)
  await commits.add([], entries, () => {})
  expect(heard).toBe(200_000)
})
