import { expect, test } from 'vitest'
import { threadOf } from '../../src/domain/thread.ts'
import { at, packet, viewOf } from './builders.ts'

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
