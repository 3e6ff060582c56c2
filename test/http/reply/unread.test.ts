import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import type { Visitor } from '../../../src/http/guard/visitor.ts'
import {
  assertRoomFor,
  createUnread,
  holdBytes,
  holdTexts,
  type Unread,
} from '../../../src/http/reply/unread.ts'
import { Fault } from '../../../src/protocol/fault.ts'

const KIB = 1024
const LIMITS = { unreadBytesPerCaller: 30 * KIB, unreadBytes: 50 * KIB, unreadSeconds: 7 }
const VISITOR: Visitor = {
  address: '127.0.0.1',
  from: 'loopback',
  connection: '127.0.0.1 1',
  isTrusted: true,
}

const guest = (credential: string): Caller => ({
  kind: 'token',
  agentId: 'aid://example.com/backend@1.0.0',
  repoName: null,
  credential,
})

const text = (letter: string, kib: number): string => letter.repeat(kib * KIB)

/** An answer on its way to a caller, on a connection of its own. */
function answerTo(unread: Unread, caller: Caller) {
  const headers: Record<string, unknown> = {}
  const socket = new Socket()
  const setHeader = (name: string, value: unknown) => {
    headers[name] = value
  }
  const response = { setHeader, req: { socket } } as unknown as ServerResponse
  return {
    headers,
    response,
    isClosed: () => socket.destroyed,
    enter: () => unread.admit(caller, VISITOR, response),
    leave: () => void socket.emit('close'),
  }
}

function enteredBy(unread: Unread, caller: Caller) {
  const answer = answerTo(unread, caller)
  answer.enter()
  return answer
}

describe('what callers leave unread', () => {
  test('counts once where many read the same text, and no more when they have read it or left', () => {
    const unread = createUnread(LIMITS)
    const [first, second] = [enteredBy(unread, guest('a')), enteredBy(unread, guest('b'))]
    const { release } = holdTexts(first.response, [text('x', 20)])
    holdTexts(second.response, [text('x', 20), 'end'])
    expect(unread.bytes).toBe(20 * KIB + 3)
    release()
    release()
    expect(unread.bytes).toBe(20 * KIB + 3)
    second.leave()
    expect(unread.bytes).toBe(0)
  })

  test('counts for each where a connection has bytes of its own', () => {
    const unread = createUnread(LIMITS)
    const [first, second] = [enteredBy(unread, guest('a')), enteredBy(unread, guest('a'))]
    const release = holdBytes(first.response, 4 * KIB)
    holdBytes(second.response, 4 * KIB)
    expect(unread.bytes).toBe(8 * KIB)
    release()
    second.leave()
    expect(unread.bytes).toBe(0)
  })

  test('is bounded for each of them: it is told how much waits and when to come again, and others are let in', () => {
    const unread = createUnread(LIMITS)
    holdTexts(enteredBy(unread, guest('a')).response, [text('x', 20)])
    const next = enteredBy(unread, guest('a'))
    expect(() => assertRoomFor(next.response, [text('y', 20)])).toThrow('20480 bytes of earlier answers wait')
    assertRoomFor(next.response, [text('x', 20), text('y', 5)])
    holdTexts(next.response, [text('z', 10)])
    const refused = answerTo(unread, guest('a'))
    expect(refused.enter).toThrow(Fault)
    expect(refused.headers).toEqual({ 'retry-after': 7 })
    assertRoomFor(enteredBy(unread, guest('b')).response, [text('y', 20)])
  })

  test('never keeps one that has read everything from getting an answer, however large', () => {
    const unread = createUnread(LIMITS)
    assertRoomFor(enteredBy(unread, guest('a')).response, [text('x', 100)])
  })

  test('is bounded in all: the one with the most of it loses what has waited longest', () => {
    const unread = createUnread(LIMITS)
    const [oldest, newer] = [enteredBy(unread, guest('a')), enteredBy(unread, guest('a'))]
    const other = enteredBy(unread, guest('b'))
    holdTexts(oldest.response, [text('x', 10)])
    holdTexts(newer.response, [text('y', 19)])
    holdTexts(other.response, [text('z', 20)])
    expect([oldest.isClosed(), newer.isClosed(), other.isClosed()]).toEqual([false, false, false])
    holdTexts(enteredBy(unread, guest('c')).response, [text('u', 10)])
    expect([oldest.isClosed(), newer.isClosed(), other.isClosed()]).toEqual([true, false, false])
    expect(unread.bytes).toBe(49 * KIB)
  })

  test('of strangers is counted by where they call from', () => {
    const unread = createUnread(LIMITS)
    const stranger: Caller = { kind: 'anonymous', agentId: '', repoName: null }
    holdTexts(enteredBy(unread, stranger).response, [text('x', 30)])
    expect(answerTo(unread, stranger).enter).toThrow('Too much is unread')
  })
})
