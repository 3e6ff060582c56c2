import { expect, test } from 'vitest'
import { reviewPair } from '../../../../src/domain/interface/review.ts'

const limited = (limit: object) => ({
  schema: { type: 'object', properties: { age: { type: 'integer', ...limit } } },
})

test.each([
  [{}, { maximum: 99 }, 'maximum of «age» is stricter now: there was none, and it is 99 now'],
  [{ maximum: 99 }, {}, 'maximum of «age» is looser now: it was 99, and there is none now'],
  [{ maximum: 99 }, { maximum: 9 }, 'maximum of «age» is stricter now: 99 became 9'],
])('a limit that comes, goes or moves is told as that: %j to %j', (before, after, say) => {
  expect(reviewPair('data_model', limited(before), limited(after)).changes).toMatchObject([{ say }])
})
