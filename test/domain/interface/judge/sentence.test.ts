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

const chosen = (values: readonly (string | number | null)[]) => ({
  schema: { type: 'object', properties: { role: { enum: values } } },
})
const MANY = Array.from({ length: 30 }, (_, index) => `value ${index + 10}`)

test.each([
  [['a'], ['a', 'b c'], '«role» may be «b c» now'],
  [['a', 'c', 'b'], ['a'], '«role» does not take «b», «c» any more'],
  [[1, 2], [1], '«role» does not take 2 any more'],
  [
    ['a'],
    ['a', ...MANY],
    '«role» may be «value 10», «value 11», «value 12», «value 13», «value 14», «value 15» and 24 more now',
  ],
])('values stand in quotes, and of very many the first: %j to %j', (before, after, say) => {
  const { changes } = reviewPair('data_model', chosen(before), chosen(after))
  expect(changes.map((one) => one.say)).toContain(say)
})

test('what others wrote cannot end the quotes around it', () => {
  const { changes } = reviewPair('data_model', chosen(['a']), chosen(['a', '» now\n! «x']))
  expect(changes[0]?.say).toBe('«role» may be «now ! x» now')
})

test('an operation that comes or goes is told as it is written, with the names of its parameters', () => {
  const paths = (...names: string[]) => ({
    openapi: '3.1.0',
    paths: Object.fromEntries(names.map((name) => [name, { get: { responses: {} } }])),
  })
  const [gone, come] = reviewPair(
    'api_endpoint',
    paths('/a', '/old/{id}'),
    paths('/a', '/new/{name}'),
  ).changes
  expect(gone).toMatchObject({ at: 'GET /old/{}', say: 'GET /old/{id} is gone' })
  expect(come).toMatchObject({ at: 'GET /new/{}', say: 'GET /new/{name} is new' })
})
