import { expect, test } from 'vitest'
import { repoIdOf } from '../../../../src/domain/statements/shared-fields.ts'
import { Messages, MOST_UNANSWERED } from '../../../../src/engine/seat/inbox/messages.ts'
import { at, packet } from '../../../domain/builders.ts'

const P = 'p1'
const FRONTEND = repoIdOf(P, 'frontend')
const message = (index: number, to: unknown = ['frontend']) =>
  packet({
    packet_id: `m${index}`,
    type: 'dependency_info',
    timestamp: at(index),
    content: { message: 'Hi', to } as never,
  })

function told(count: number): Messages {
  const messages = new Messages()
  for (let index = 0; index < count; index++) messages.put(`m${index}`, message(index), P)
  return messages
}

const isDue = (messages: Messages, index: number) => messages.get(`m${index}`, P)?.to.includes(FRONTEND)

test('the newest that a repo has not replied to are in its inbox, and an older one when one of them is gone', () => {
  const messages = told(MOST_UNANSWERED)
  expect(isDue(messages, 0)).toBe(true)
  expect([...messages.put('m500', message(500), P)].sort()).toEqual(['m0', 'm500'])
  expect([isDue(messages, 0), isDue(messages, 1), isDue(messages, 500)]).toEqual([false, true, true])
  const reply = packet({ packet_id: 'r', type: 'dependency_info', repo_id: FRONTEND, reply_to: 'm7' })
  expect([...messages.put('r', reply, P)].sort()).toEqual(['m0', 'm7'])
  expect([isDue(messages, 0), isDue(messages, 7)]).toEqual([true, false])
})

test('one more message or reply touches as few others however many there are', () => {
  const messages = told(1000)
  expect(messages.put('m1000', message(1000), P).size).toBe(2)
  const reply = packet({ packet_id: 'r', type: 'dependency_info', repo_id: FRONTEND, reply_to: 'm999' })
  expect(messages.put('r', reply, P).size).toBe(2)
  expect(messages.put('r', undefined, P).size).toBe(2)
})

test.each([
  ['no list', 'frontend'],
  ['a list of something else', [1, null, {}]],
  [
    'a name that comes after very many',
    [...Array.from({ length: 200 }, (_, index) => `r${index}`), 'frontend'],
  ],
])('%s is for nobody', (_case, to) => {
  const messages = new Messages()
  messages.put('m0', message(0, to), P)
  expect(isDue(messages, 0) ?? false).toBe(false)
})
