import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { DEFAULTS } from '../../../src/config/settings.ts'
import type { AnswerCall } from '../../../src/engine/dispatch/call.ts'
import { createGuard } from '../../../src/http/guard/guard.ts'
import { createRateLimits } from '../../../src/http/guard/rate-limits.ts'
import { createUnread } from '../../../src/http/reply/unread.ts'
import { createRpcHandler } from '../../../src/http/rpc/rpc.ts'
import type { AnyMethod } from '../../../src/methods/row.ts'
import type { Fault } from '../../../src/protocol/fault.ts'

const CALL = { jsonrpc: '2.0', id: 7, method: 'm' }

/** The door alone, before a method that does what it is told. */
async function doorTo(answer: AnswerCall, spoil: (response: ServerResponse) => void = () => {}) {
  const reported: Fault[] = []
  const handle = createRpcHandler({
    methods: new Map([['m', { name: 'm' } as AnyMethod]]),
    answer,
    guard: createGuard({
      identify: () => ({ kind: 'operator', agentId: 'aid://localhost/a@1.0.0', repoName: null }),
      gate: { hosts: new Set(['127.0.0.1']), origins: new Set() },
      limits: createRateLimits(DEFAULTS),
      unread: createUnread(DEFAULTS),
    }),
    report: (fault) => reported.push(fault),
    audit: { refused: () => {} },
  })
  const server = createServer((incoming, response) => {
    spoil(response)
    handle(incoming, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    reported,
    post: async (body: unknown, signal?: AbortSignal) => {
      const reply = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        headersTimeout: 5000,
        ...(signal === undefined ? {} : { signal }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return { status: reply.statusCode, json: (await reply.body.json()) as any }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a result that cannot be written as JSON is told as a failure of its call alone', async () => {
  const results: unknown[] = [1n, 1n, 'fine']
  await using door = await doorTo(async () => results.shift())
  const failed = { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'Server error' } }
  expect(await door.post(CALL)).toMatchObject({ status: 200, json: failed })
  expect((await door.post([CALL, { ...CALL, id: 8 }])).json).toMatchObject([
    failed,
    { id: 8, result: 'fine' },
  ])
  expect(door.reported).toHaveLength(2)
})

test('an answer that cannot be sent is 500, or the end of the connection', async () => {
  const broken = (name: 'writeHead' | 'end') => (response: ServerResponse) => {
    const original = response[name]
    response[name] = () => {
      response[name] = original as never
      throw new Error('broken')
    }
  }
  await using unsent = await doorTo(async () => 1, broken('writeHead'))
  expect(await unsent.post(CALL)).toMatchObject({ status: 500, json: { id: null, error: { code: -32000 } } })
  expect(unsent.reported).toHaveLength(1)
  await using halfSent = await doorTo(async () => 1, broken('end'))
  await expect(halfSent.post(CALL)).rejects.toThrow('other side closed')
  expect(halfSent.reported).toHaveLength(1)
})

test('of a batch whose answers are more than 64 MiB, the rest is left out and told to be split', async () => {
  const text = 'x'.repeat(30 * 1024 * 1024)
  await using door = await doorTo(async () => text)
  const { status, json } = await door.post([1, 2, 3, 4].map((id) => ({ ...CALL, id })))
  expect(status).toBe(200)
  expect(json.map((one: { result?: string }) => one.result?.length)).toEqual([
    text.length,
    text.length,
    undefined,
    undefined,
  ])
  for (const [index, id] of [3, 4].entries())
    expect(json[2 + index]).toMatchObject({
      id,
      error: { data: { kind: 'too_large', next: expect.stringContaining('Split') } },
    })
})

test('a call can learn that nobody waits for its answer any more, and the calls after it in a batch know it', async () => {
  const arrived = new EventEmitter()
  const signals: AbortSignal[] = []
  await using door = await doorTo(async ({ gone }) => {
    const signal = gone?.()
    if (signal === undefined) throw new Error('this caller can leave')
    arrived.emit(signals.push(signal) === 1 ? 'first' : 'second')
    if (!signal.aborted) await once(signal, 'abort')
  })
  const [first, second] = [once(arrived, 'first'), once(arrived, 'second')]
  const leaving = new AbortController()
  const posted = door.post([CALL, { ...CALL, id: 8 }], leaving.signal)
  await first
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  leaving.abort()
  await expect(posted).rejects.toThrow('aborted')
  await second
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  expect(new Set(signals).size).toBe(1)
})

test('the calls of a batch are carried out one after the other', async () => {
  let running = 0
  const most: number[] = []
  await using door = await doorTo(async () => {
    most.push(++running)
    await new Promise(setImmediate)
    running--
  })
  const { json } = await door.post([1, 2, 3].map((id) => ({ ...CALL, id })))
  expect(json.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3])
  expect(most).toEqual([1, 1, 1])
})
