import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { endOf, type OutboundRequest } from '../../../src/io/outbound/outbound-request.ts'
import { createRequester } from '../../../src/io/outbound/request.ts'

const LIMITS = { bytes: 1000, values: 100, depth: 5 }

/** Asks a server that answers like this, and forgets both afterwards. Failures come as they are. */
async function asking(answer: RequestListener, asked: Partial<OutboundRequest> = {}) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const requester = createRequester({ connections: 1, failure: (cause) => cause })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = () => ({ rules: { reach: 'loopback' } as const })
  try {
    return await requester.answer({ url, target, body: '{}', millis: 5000, limits: LIMITS, ...asked })
  } finally {
    await requester.destroy()
    server.closeAllConnections()
    server.close()
  }
}

test('the text of an answer comes with its status, however many pieces it comes in', async () => {
  const inPieces: RequestListener = (_request, response) => {
    response.writeHead(418)
    response.write('"a pot ')
    setImmediate(() => response.end('of tea"'))
  }
  expect(await asking(inPieces)).toEqual({ status: 418, text: '"a pot of tea"' })
})

test.each<[string, RequestListener]>([
  ['never', () => {}],
  ['with a beginning and no end', (_request, response) => void response.writeHead(200).write('"')],
])('whoever answers %s is not waited for beyond the time', async (_how, answer) => {
  await expect(asking(answer, { millis: 100 })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('the time of a request that may also be broken off comes to its end, whatever memory is freed', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const end = endOf({ url: '', target: () => ({}), millis: 50, signal: new AbortController().signal })
  // What was made in this turn of the event loop is kept until the next one.
  await nextTurn()
  collect()
  await expect.poll(() => end?.aborted).toBe(true)
})

test('an answer that is too long is not read to its end', async () => {
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(500)));
    }
    response.on('drain', more)
    more()
  }
  await expect(asking(endless)).rejects.toThrow('answered more than anybody asked for')
})

test('a request that is broken off, before it began or in its midst, ends at once', async () => {
  await expect(asking(() => {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
  const end = new AbortController()
  await expect(asking(() => end.abort(), { signal: end.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})
