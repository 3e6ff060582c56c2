import { expect, test } from 'vitest'
import { Conversations } from '../../../src/engine/seat/conversations.ts'
import { at, packet } from '../../domain/builders.ts'

test('a long chain of replies that comes in the wrong order ends as in the right one, and soon', () => {
  const chain = Array.from({ length: 1500 }, (_, index) =>
    packet({
      packet_id: `k${index}`,
      type: index === 0 ? 'question' : 'dependency_info',
      from_repo: `repo-${index % 3}`,
      reply_to: index === 0 ? null : `k${index - 1}`,
      timestamp: at(index),
    }),
  )
  const talkOf = (packets: typeof chain) => {
    const conversations = new Conversations()
    for (const one of packets) conversations.put(one)
    return conversations.get('k0')?.talk
  }
  const told = talkOf(chain)
  // Deeper than this nobody looks.
  expect([...(told?.last.values() ?? [])].map(({ packetId }) => packetId).sort()).toEqual([
    'k997',
    'k998',
    'k999',
  ])
  expect(talkOf(chain.toReversed())).toEqual(told)
}, 10_000)
