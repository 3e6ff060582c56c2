import { describe, expect, test } from 'vitest'
import { MOST_REPLIES_DEEP } from '../../../src/domain/context/thread.ts'
import type { PacketEntity } from '../../../src/domain/views/entities.ts'
import { Conversations } from '../../../src/engine/seat/conversations.ts'
import { ProjectInbox } from '../../../src/engine/seat/inbox/project-inbox.ts'
import { at, BACKEND, FRONTEND, packet, project, repo } from '../../domain/builders.ts'

const REPOS = ['repo-0', 'repo-1', 'repo-2']

/** A question and a chain of replies, each to the one before. */
const chainOf = (length: number): PacketEntity[] =>
  Array.from({ length }, (_, index) =>
    packet({
      packet_id: `k${index}`,
      type: index === 0 ? 'question' : 'dependency_info',
      repo_id: `repo-${index % 3}`,
      reply_to: index === 0 ? null : `k${index - 1}`,
      timestamp: at(index),
    }),
  )

test('a long chain of replies that comes in the wrong order ends as in the right one', () => {
  const talkOf = (packets: readonly PacketEntity[]) => {
    const conversations = new Conversations()
    for (const one of packets) conversations.put(one.packet_id, one)
    return conversations.get('k0', REPOS)?.talk
  }
  const chain = chainOf(500)
  const told = talkOf(chain)
  // Deeper than this nobody looks.
  const deepest = [1, 2, 3].map((back) => `k${MOST_REPLIES_DEEP - back}`)
  expect([...(told?.last.values() ?? [])].map(({ packetId }) => packetId).sort()).toEqual(deepest.sort())
  expect(talkOf(chain.toReversed())).toEqual(told)
})

describe('the work of taking in a packet is counted in looks at packets', () => {
  /** How often anything of a packet was read while all of them were put. */
  function looksAt(packets: readonly PacketEntity[], put: (packet: PacketEntity) => void): number {
    let looks = 0
    for (const one of packets)
      put(
        new Proxy(one, {
          get: (target, key, self) => {
            looks++
            return Reflect.get(target, key, self)
          },
        }),
      )
    return looks
  }
  const inboxOf = (...repoIds: string[]): ProjectInbox => {
    const inbox = new ProjectInbox('p1')
    inbox.putProject(project())
    for (const repo_id of repoIds) inbox.putRepo(repo_id, repo({ repo_id, name: repo_id }))
    return inbox
  }

  test('and is the same for the thousandth reply of a chain as for the tenth', () => {
    const inbox = inboxOf(...REPOS)
    const chain = chainOf(1000)
    const first = looksAt(chain.slice(0, 100), (one) => inbox.putPacket(one.packet_id, one))
    const last = looksAt(chain.slice(900), (one) => inbox.putPacket(one.packet_id, one))
    expect(last).toBeLessThanOrEqual(first)
  })

  test('and is the same for the thousandth repo that nobody named as for the tenth', () => {
    const inbox = inboxOf(BACKEND, FRONTEND)
    inbox.putPacket('q', packet({ packet_id: 'q', type: 'question' }))
    const replies = Array.from({ length: 1000 }, (_, index) =>
      packet({ packet_id: `k${index}`, repo_id: `invented-${index}`, reply_to: 'q', timestamp: at(index) }),
    )
    const first = looksAt(replies.slice(0, 100), (one) => inbox.putPacket(one.packet_id, one))
    const last = looksAt(replies.slice(900), (one) => inbox.putPacket(one.packet_id, one))
    expect(last).toBe(first)
    const answer = inbox.item(FRONTEND, 'answer_question', { kind: 'packet', id: 'q' })
    expect(answer?.from.repo).toBe(BACKEND)
    expect([...inbox.dutiesOf(FRONTEND, { isLow: false })].map(({ size }) => size)).toEqual([1])
  })

  test('and is bounded for each packet of a chain that comes from its end', () => {
    const inbox = inboxOf(...REPOS)
    const perPacket = looksAt(chainOf(1000).toReversed(), (one) => inbox.putPacket(one.packet_id, one)) / 1000
    expect(perPacket).toBeLessThanOrEqual(10 * MOST_REPLIES_DEEP)
  })

  test('and is the same for a reply that is taken back, however many there are', () => {
    const inbox = inboxOf(BACKEND, FRONTEND)
    inbox.putPacket('q', packet({ packet_id: 'q', type: 'question' }))
    const replies = Array.from({ length: 500 }, (_, index) =>
      packet({
        packet_id: `k${index}`,
        type: 'dependency_info',
        repo_id: FRONTEND,
        reply_to: 'q',
        timestamp: at(index),
      }),
    )
    for (const one of replies) inbox.putPacket(one.packet_id, one)
    const takenBack = replies
      .toReversed()
      .map((one) => ({ ...one, redacted: { by: FRONTEND, at: at(600), reason: '' } }))
    const first = looksAt(takenBack.slice(0, 10), (one) => inbox.putPacket(one.packet_id, one))
    looksAt(takenBack.slice(10, 490), (one) => inbox.putPacket(one.packet_id, one))
    const last = looksAt(takenBack.slice(490), (one) => inbox.putPacket(one.packet_id, one))
    expect(last).toBeLessThanOrEqual(first)
    const open = inbox.item(FRONTEND, 'answer_question', { kind: 'packet', id: 'q' })
    expect(open).toBeDefined()
  })
})

test('what a repo said before anybody named it counts from when it is named', () => {
  const inbox = new ProjectInbox('p1')
  inbox.putProject(project())
  inbox.putRepo(BACKEND, repo({ repo_id: BACKEND, name: 'backend' }))
  inbox.putPacket('q', packet({ packet_id: 'q', type: 'question' }))
  inbox.putPacket('k', packet({ packet_id: 'k', type: 'dependency_info', repo_id: FRONTEND, reply_to: 'q' }))
  const accept = () => inbox.item(BACKEND, 'accept_answer', { kind: 'packet', id: 'q' })
  expect(accept()).toBeUndefined()
  inbox.putRepo(FRONTEND, repo({ repo_id: FRONTEND, name: 'frontend' }))
  expect(accept()?.from.repo).toBe('frontend')
})

test('a question ends with whatever takes it away, and so does what was said about it', () => {
  const inbox = new ProjectInbox('p1')
  inbox.putProject(project())
  for (const repo_id of [BACKEND, FRONTEND]) inbox.putRepo(repo_id, repo({ repo_id, name: repo_id }))
  const question = packet({ packet_id: 'q', type: 'question' })
  const reply = packet({ packet_id: 'k', type: 'dependency_info', repo_id: FRONTEND, reply_to: 'q' })
  const accept = () => inbox.item(BACKEND, 'accept_answer', { kind: 'packet', id: 'q' })
  for (const one of [question, reply]) inbox.putPacket(one.packet_id, one)
  expect(accept()).toBeDefined()
  inbox.putPacket('k', undefined)
  expect(accept()).toBeUndefined()
  inbox.putPacket('k', reply)
  inbox.putPacket('q', undefined)
  expect(accept()).toBeUndefined()
  inbox.putPacket('q', question)
  expect(accept()).toBeDefined()
  inbox.putRepo(FRONTEND, undefined)
  expect(accept()).toBeUndefined()
})
