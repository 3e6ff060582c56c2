import { expect, test } from 'vitest'
import { answerTo, idsConcerned, MOST_REPLIES_DEEP, threadOf } from '../../../src/domain/context/thread.ts'
import { viewOf as anyView, at, BACKEND, FRONTEND, packet, repo } from '../builders.ts'

const REPOS = [BACKEND, FRONTEND].map((repo_id) => repo({ repo_id, name: repo_id }))
const viewOf = (parts: Parameters<typeof anyView>[0]) => anyView({ repos: REPOS, ...parts })

const said = (packet_id: string, reply_to: string | null, second: number) =>
  packet({ packet_id, reply_to, timestamp: at(second) })

const conversation = viewOf({
  packets: [
    said('question', null, 1),
    said('answer', 'question', 3),
    said('doubt', 'answer', 4),
    said('other-answer', 'question', 2),
    said('elsewhere', null, 2),
  ],
})

const ids = (found: Parameters<typeof threadOf>[0], id: string) =>
  threadOf(found, id).map((one) => one.packet_id)

test('a thread is the question with every reply and every reply to a reply, in order of time', () => {
  expect(ids(conversation, 'question')).toEqual(['question', 'other-answer', 'answer', 'doubt'])
})

test('any packet of a conversation leads to the whole of it', () => {
  expect(ids(conversation, 'doubt')).toEqual(ids(conversation, 'question'))
})

test('a packet without replies is a thread of its own', () => {
  expect(ids(conversation, 'elsewhere')).toEqual(['elsewhere'])
})

test('an unknown packet has an empty thread', () => {
  expect(ids(conversation, 'nobody')).toEqual([])
})

test('a reply to a packet that has not arrived yet starts the thread', () => {
  const found = viewOf({ packets: [said('reply', 'missing', 1), said('next', 'reply', 2)] })
  expect(ids(found, 'next')).toEqual(['reply', 'next'])
})

test('replies that form a ring are each told once', () => {
  const found = viewOf({ packets: [said('hen', 'egg', 1), said('egg', 'hen', 2)] })
  expect(ids(found, 'hen')).toEqual(['hen', 'egg'])
  expect(ids(found, 'egg')).toEqual(['hen', 'egg'])
})

test('a packet that hangs on a ring is in its own thread', () => {
  const found = viewOf({ packets: [said('hen', 'egg', 1), said('egg', 'hen', 2), said('chick', 'egg', 3)] })
  expect(ids(found, 'chick')).toContain('chick')
})

test('a packet that replies to itself is a thread of one', () => {
  expect(ids(viewOf({ packets: [said('echo', 'echo', 1)] }), 'echo')).toEqual(['echo'])
})

test('packets of the same moment come in the same order everywhere', () => {
  const packets = [said('b', 'root', 1), said('root', null, 1), said('a', 'root', 1)]
  expect(ids(viewOf({ packets }), 'root')).toEqual(['a', 'b', 'root'])
  expect(ids(viewOf({ packets: packets.toReversed() }), 'root')).toEqual(['a', 'b', 'root'])
})

test('what a repo says that nobody named is in no thread but its own, and answers nothing', () => {
  const packets = [
    said('question', null, 1),
    packet({ packet_id: 'invented', repo_id: 'nobody', reply_to: 'question', timestamp: at(2) }),
    packet({ packet_id: 'answer', repo_id: FRONTEND, reply_to: 'invented', timestamp: at(3) }),
  ]
  const found = viewOf({ packets })
  const [question = packet(), invented = packet(), answer = packet()] = packets
  expect(ids(found, 'question')).toEqual(['question', 'answer'])
  expect(ids(found, 'invented')).toEqual(['question', 'invented', 'answer'])
  expect(answerTo(found, question)?.packet_id).toBe('answer')
  expect(idsConcerned(found, invented)).toEqual(['invented'])
  expect(idsConcerned(found, answer)).toEqual(['answer', 'invented', 'question'])
})

test('what is said very deep below a question neither answers it nor wakes who waits for that', () => {
  const chain = Array.from({ length: MOST_REPLIES_DEEP + 2 }, (_, index) =>
    packet({
      packet_id: `k${index}`,
      type: 'dependency_info',
      repo_id: index > MOST_REPLIES_DEEP ? FRONTEND : BACKEND,
      reply_to: index === 0 ? null : `k${index - 1}`,
      timestamp: at(index),
    }),
  )
  const found = viewOf({ packets: chain })
  const [first = packet(), second = packet()] = chain
  const deepest = chain.at(-1) ?? packet()
  expect(answerTo(found, second)).toEqual(deepest)
  expect(answerTo(found, first)).toBeUndefined()
  expect(idsConcerned(found, deepest)).toContain('k1')
  expect(idsConcerned(found, deepest)).not.toContain('k0')
})

test('a thread of thousands looks at each of its packets a few times at most', () => {
  const chain = Array.from({ length: 3000 }, (_, index) =>
    said(`k${index}`, index === 0 ? null : `k${index - 1}`, index),
  )
  const byId = new Map(chain.map((one) => [one.packet_id, one]))
  const below = new Map(chain.map((one) => [one.reply_to, [one]]))
  let looks = 0
  const counted = <T>(found: T): T => {
    looks++
    return found
  }
  const whole = viewOf({})
  const found = {
    ...whole,
    packets: { ...whole.packets, get: (id: string) => counted(byId.get(id)) },
    repliesTo: (id: string) => counted(below.get(id) ?? []),
  }
  expect(threadOf(found, 'k1500')).toHaveLength(3000)
  expect(looks).toBeLessThanOrEqual(2 * 3000)
  looks = 0
  expect(answerTo(found, chain[0] ?? packet())?.packet_id).toBe('k1')
  idsConcerned(found, chain.at(-1) ?? packet())
  expect(looks).toBeLessThanOrEqual(2 * MOST_REPLIES_DEEP + 2)
})
