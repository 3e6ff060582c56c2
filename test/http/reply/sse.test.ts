import { EventEmitter } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { type EventStream, openEventStream } from '../../../src/http/reply/sse.ts'
import { sseText } from '../../../src/protocol/sse/sse.ts'

interface Line extends AsyncDisposable {
  stream: EventStream
  /** What the server keeps for the reader. */
  response: ServerResponse
  reader: IncomingMessage
  shutOut(): void
}

/** A real connection with a reader that has not read anything yet. */
async function openLine(commentMillis = 60_000): Promise<Line> {
  let serve: (response: ServerResponse) => void = () => {}
  const served = new Promise<ServerResponse>((resolve) => {
    serve = resolve
  })
  const server = createServer((_request, response) => serve(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  const answered = new Promise<IncomingMessage>((resolve) => asked.once('response', resolve))
  asked.on('error', () => {}).end()
  const response = await served
  let shutOut = () => {}
  const watch = (leave: () => void) => {
    shutOut = leave
    return () => {}
  }
  const stream = openEventStream(response, { commentMillis, watch })
  const reader = await answered
  reader.on('error', () => {})
  return {
    stream,
    response,
    reader,
    shutOut: () => shutOut(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const unwatched = () => () => {}

async function textOf(reader: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of reader) text += String(chunk)
  return text
}

test('a frame has exactly these bytes', () => {
  expect(sseText({ event: 'a', id: '1', data: '{"x":"\u2028"}' })).toBe(
    'event: a\nid: 1\ndata: {"x":"\u2028"}\n\n',
  )
  expect(sseText({ data: 'one\r\ntwo\rthree' })).toBe('data: one\ndata: two\ndata: three\n\n')
})

test('the headers go out at once, and forbid keeping and changing the stream', async () => {
  await using line = await openLine()
  expect(line.reader.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  })
  await line.stream.send([{ data: '1' }, { data: '2' }])
  line.stream.end()
  expect(await textOf(line.reader)).toBe('data: 1\n\ndata: 2\n\n')
})

test('as many frames as there are go out together', async () => {
  await using line = await openLine()
  const text = textOf(line.reader)
  await line.stream.send(Array.from({ length: 200_000 }, () => ({ data: '' })))
  line.stream.end()
  expect((await text).length).toBe(200_000 * 'data: \n\n'.length)
})

test('silence is filled with comments', async () => {
  await using line = await openLine(10)
  let text = ''
  line.reader.on('data', (chunk) => {
    text += String(chunk)
  })
  await vi.waitFor(() => expect(text).toMatch(/^(: still here\n\n){2}/))
})

test('no silence is longer than that after which a comment is promised', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const written: string[] = []
    const response = Object.assign(new EventEmitter(), {
      writeHead: () => {},
      flushHeaders: () => {},
      write: (text: string) => written.push(text) > 0,
    })
    const stream = openEventStream(response as unknown as ServerResponse, {
      commentMillis: 100,
      watch: unwatched,
    })
    vi.advanceTimersByTime(90)
    await stream.send([{ data: '1' }])
    vi.advanceTimersByTime(99)
    expect(written).toEqual(['data: 1\n\n'])
    vi.advanceTimersByTime(1)
    expect(written).toEqual(['data: 1\n\n', ': still here\n\n'])
    vi.advanceTimersByTime(100)
    expect(written).toHaveLength(3)
  } finally {
    vi.useRealTimers()
  }
})

test('nothing piles up for a reader that does not read, and it gets all when it does', async () => {
  await using line = await openLine()
  line.reader.pause()
  const data = 'x'.repeat(64 * 1024)
  let sent = 0
  const sending = (async () => {
    for (; sent < 200; sent++) await line.stream.send([{ data }])
    line.stream.end()
  })()
  await vi.waitFor(() => expect(line.response.writableNeedDrain).toBe(true))
  expect(line.response.writableLength).toBeLessThan(2 * data.length)
  expect(sent).toBeLessThan(200)
  expect(await textOf(line.reader)).toHaveLength(200 * sseText({ data }).length)
  await sending
})

test('a reader that leaves is noticed, and whoever waits for it goes on', async () => {
  await using line = await openLine()
  line.reader.pause()
  const data = 'x'.repeat(1024 * 1024)
  const sending = (async () => {
    for (let sent = 0; sent < 50; sent++) await line.stream.send([{ data }])
  })()
  await vi.waitFor(() => expect(line.response.writableNeedDrain).toBe(true))
  line.reader.destroy()
  await sending
  expect(line.stream.signal.aborted).toBe(true)
})

test('a reader that takes nothing is not waited for any more when it is shut out; another one gets its end', async () => {
  await using line = await openLine()
  await line.stream.send([{ data: 'taken' }])
  line.shutOut()
  expect(line.stream.signal.aborted).toBe(false)
  line.reader.pause()
  const data = 'x'.repeat(1024 * 1024)
  const sending = (async () => {
    while (!line.stream.signal.aborted) await line.stream.send([{ data }])
  })()
  await vi.waitFor(() => expect(line.response.writableNeedDrain).toBe(true))
  line.shutOut()
  await sending
  expect(line.response.destroyed).toBe(true)
})

test('a reader that left before the stream was opened has left', async () => {
  const responses: ServerResponse[] = []
  const server = createServer((_request, response) => void responses.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  asked.on('error', () => {}).end()
  await vi.waitFor(() => expect(responses).toHaveLength(1))
  asked.destroy()
  await vi.waitFor(() => expect(responses[0]?.destroyed).toBe(true))
  const stream = openEventStream(responses[0] as ServerResponse, { commentMillis: 1, watch: unwatched })
  expect(stream.signal.aborted).toBe(true)
  await stream.send([{ data: 'for nobody' }])
  stream.end()
  await new Promise((resolve) => server.close(resolve))
})
