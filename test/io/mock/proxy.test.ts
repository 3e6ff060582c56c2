import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { judgeExchange } from '../../../src/domain/mock/judge.ts'
import { RouteTable } from '../../../src/domain/mock/routes.ts'
import { createFits } from '../../../src/io/mock/fit-check.ts'
import { closeServer, listenLocally } from '../../../src/io/mock/listen.ts'
import { type Observed, type RunningProxy, startProxy } from '../../../src/io/mock/proxy.ts'
import { servedAs } from './support.ts'

const cleaning: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})

const TABLE = new RouteTable([
  servedAs('Get User', {
    method: 'GET',
    path: '/users/{id}',
    params: { id: 'integer' },
    response: { id: 'integer', name: 'string' },
    errors: { 404: { message: 'string' } },
  }),
])
const FITS = createFits()

/** What each exchange showed, in the words of its misfits. */
const judged = ({ exchange }: Observed) => {
  const match = TABLE.find(exchange.asked.method, exchange.asked.path)
  if (match === undefined) return undefined
  return judgeExchange(match, exchange, FITS).misfits.map(({ at, problem }) => `${at} ${problem}`)
}

async function proxyTo(url: string): Promise<RunningProxy & { observed: Observed[] }> {
  const observed: Observed[] = []
  const proxy = await startProxy({ upstream: new URL(url), port: 0, observe: (one) => observed.push(one) })
  cleaning.push(async () => proxy[Symbol.asyncDispose]())
  return { ...proxy, observed }
}

async function upstream(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server: Server = createServer(answer)
  cleaning.push(() => closeServer(server))
  return listenLocally(server, 0)
}

/** A server that gets the raw bytes, and answers with raw bytes. */
async function rawUpstream(hear: (socket: Socket, text: string) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1')
      hear(socket, text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleaning.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends raw bytes, and gets all that comes back until `isEnd` or the end. */
const raw = (url: string, bytes: string, isEnd: (text: string) => boolean): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1')
      if (isEnd(text)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })

const json = (value: unknown) => ({ 'content-type': 'application/json', body: JSON.stringify(value) })
const answering = (status: number, { body, ...headers }: { body: string; 'content-type'?: string }) =>
  upstream((_, response) => response.writeHead(status, headers).end(body))

describe('the proxy passes on', () => {
  test('every header and every byte of a request, and only says in Host where it goes', async () => {
    let heard = ''
    const url = await rawUpstream((socket, text) => {
      heard = text
      if (text.endsWith('\xff\x00tail')) socket.end('HTTP/1.1 204 No Content\r\nX-Odd: a\r\n\r\n')
    })
    const proxy = await proxyTo(url)
    const head = [
      'POST /a%20b/?q=%C3%A4&&x HTTP/1.1',
      'Host: 127.0.0.1:1',
      'x-CASE: One',
      'X-Twice: 1',
      'X-Twice: 2',
      'Content-Type: application/octet-stream',
      'Content-Length: 6',
      'Connection: close',
    ]
    const answer = await raw(proxy.url, `${head.join('\r\n')}\r\n\r\n\xff\x00tail`, () => false)
    const sent = [...head.with(1, `Host: ${new URL(url).host}`), '', '\xff\x00tail'].join('\r\n')
    expect(heard).toBe(sent)
    expect(answer).toBe('HTTP/1.1 204 No Content\r\nX-Odd: a\r\n\r\n')
  })

  test('every header and every byte of an answer', async () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1')
    const head = [
      'HTTP/1.1 418 I am a teapot',
      'sErVeR: odd',
      'Set-Cookie: a=1',
      'Set-Cookie: b=2',
      'Content-Length: 256',
      'Date: yesterday',
      '',
      '',
    ].join('\r\n')
    const url = await rawUpstream((socket, text) => {
      if (text.endsWith('\r\n\r\n')) socket.write(head + body, 'latin1')
    })
    const proxy = await proxyTo(url)
    const got = await raw(
      proxy.url,
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      (text) => text.length >= head.length + 256,
    )
    expect(got).toBe(head + body)
  })

  test('answers that come in pieces, as they come', async () => {
    let more: (() => void) | undefined
    const url = await upstream((_, response) => {
      response.write('first')
      more = () => response.end('second')
    })
    const proxy = await proxyTo(url)
    const answer = await fetch(`${proxy.url}/stream`)
    const reader = answer.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first')
    more?.()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second')
  })

  test('answers that only inform, before the answer itself', async () => {
    const url = await upstream((_, response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1,"name":"Ada"}')
    })
    const proxy = await proxyTo(url)
    const informed: number[] = []
    await new Promise<void>((resolve, reject) => {
      request(`${proxy.url}/users/1`, (answer) => answer.resume().on('end', resolve))
        .on('information', ({ statusCode }) => informed.push(statusCode))
        .on('error', reject)
        .end()
    })
    expect(informed).toEqual([102, 103])
    await vi.waitFor(() => expect(proxy.observed.map(judged)).toEqual([[]]))
  })

  test('a body only when the other server asks for it', async () => {
    const url = await rawUpstream((socket, text) => {
      if (text.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      if (text.endsWith('late')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
    const proxy = await proxyTo(url)
    const status = await new Promise((resolve, reject) => {
      const asked = request(
        `${proxy.url}/x`,
        { method: 'POST', headers: { expect: '100-continue', 'content-length': 4 } },
        (answer) => resolve(answer.resume().statusCode),
      )
      asked.on('continue', () => asked.end('late')).on('error', reject)
      asked.flushHeaders()
    })
    expect(status).toBe(200)
  })

  test('another protocol, once both sides agree on it', async () => {
    const url = await rawUpstream((socket, text) => {
      if (text.endsWith('\r\n\r\n'))
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n')
      else socket.write(text.slice(text.indexOf('\r\n\r\n') + 4))
    })
    const proxy = await proxyTo(url)
    const answer = await new Promise<string>((resolve, reject) => {
      request(`${proxy.url}/ws`, { headers: { connection: 'Upgrade', upgrade: 'echo' } })
        .on('upgrade', (_, socket) => {
          socket.on('data', (data: Buffer) => {
            resolve(data.toString())
            socket.destroy()
          })
          socket.write('hello')
        })
        .on('error', reject)
        .end()
    })
    expect(answer).toBe('hello')
  })

  test('to the path at which the other server begins', async () => {
    const url = await upstream((asked, response) => response.end(asked.url))
    const proxy = await proxyTo(`${url}/api/v1/`)
    expect(await (await fetch(`${proxy.url}/users/1?x=2`)).text()).toBe('/api/v1/users/1?x=2')
  })
})

describe('the proxy compares', () => {
  const seenAfter = async (url: string, path = '/users/1', headers: Record<string, string> = {}) => {
    const proxy = await proxyTo(url)
    await (await fetch(`${proxy.url}${path}`, { headers })).arrayBuffer().catch(() => {})
    await vi.waitFor(() => expect(proxy.observed).toHaveLength(1))
    return proxy.observed.map(judged)[0]
  }

  test('answers and requests with the contract', async () => {
    expect(await seenAfter(await answering(200, json({ id: 1, name: 'Ada' })))).toEqual([])
    expect(await seenAfter(await answering(200, json({ id: 'one' })))).toEqual([
      'response.200.body.name is required',
      'response.200.body.id must be integer',
    ])
    expect(await seenAfter(await answering(200, json({ id: 1, name: 'Ada' })), '/users/ada')).toEqual([
      'path.0 must be integer',
    ])
    expect(await seenAfter(await answering(200, { body: '<html>', 'content-type': 'text/html' }))).toEqual([
      'response.200.body is text/html; described is application/json',
    ])
    expect(await seenAfter(await answering(500, json({})))).toEqual(['response.500 is not described'])
  })

  test('only the answer where the request was refused', async () => {
    expect(await seenAfter(await answering(404, json({ message: 'no' })), '/users/ada')).toEqual([])
    expect(await seenAfter(await answering(404, json({})), '/users/ada')).toEqual([
      'response.404.body.message is required',
    ])
  })

  test('what is compressed, or in another charset', async () => {
    const good = Buffer.from(JSON.stringify({ id: 1, name: 'Zoë' }))
    const zipped = await upstream((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(good)),
    )
    expect(await seenAfter(zipped)).toEqual([])
    const latin = await upstream((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=iso-8859-1' })
        .end(Buffer.from(good.toString(), 'latin1')),
    )
    expect(await seenAfter(latin)).toEqual([])
    const wrong = await upstream((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.from(good.toString(), 'latin1')),
    )
    expect(await seenAfter(wrong)).toEqual(['response.200.body is in no known charset'])
    const bomb = await upstream((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(50 * 1024 * 1024))),
    )
    const proxy = await proxyTo(bomb)
    await raw(proxy.url, 'GET /users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', () => false)
    await vi.waitFor(() =>
      expect(proxy.observed.map(({ exchange }) => exchange.answered?.body.kind)).toEqual(['unread']),
    )
  })
})

describe('an upstream', () => {
  test('that cannot be reached gets no answer made up', async () => {
    const proxy = await proxyTo('http://127.0.0.1:1')
    await expect(fetch(`${proxy.url}/users/1`)).rejects.toThrow()
    expect(proxy.observed.map(judged)).toEqual([['response never came']])
  })

  test('that hangs is waited for until the caller gives up', async () => {
    const proxy = await proxyTo(await upstream(() => {}))
    const giveUp = new AbortController()
    const asked = fetch(`${proxy.url}/users/1`, { signal: giveUp.signal })
    asked.catch(() => {})
    const url = await answering(200, json({}))
    await fetch(url)
    giveUp.abort()
    await expect(asked).rejects.toThrow()
    await vi.waitFor(() => expect(proxy.observed.map(judged)).toEqual([['response never came']]))
  })

  test('that hangs is known to have hung when the proxy ends', async () => {
    let isAsked: (() => void) | undefined
    const asking = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const url = await upstream(() => isAsked?.())
    const observed: Observed[] = []
    const proxy = await startProxy({ upstream: new URL(url), port: 0, observe: (one) => observed.push(one) })
    const asked = fetch(`${proxy.url}/users/1`)
    asked.catch(() => {})
    await asking
    await proxy[Symbol.asyncDispose]()
    expect(observed.map(judged)).toEqual([['response never came']])
  })

  test('that streams for ever takes no memory, and is left when the caller leaves', async () => {
    let isLeft = false
    const url = await upstream((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const piece = Buffer.alloc(256 * 1024, 'x')
      const go = () => {
        while (!response.destroyed && response.write(piece)) {}
        response.once('drain', go)
      }
      go()
      response.on('close', () => {
        isLeft = true
      })
    })
    const proxy = await proxyTo(url)
    const giveUp = new AbortController()
    const answer = await fetch(`${proxy.url}/users/1`, { signal: giveUp.signal })
    let bytes = 0
    const before = process.memoryUsage().arrayBuffers
    await expect(
      (async () => {
        for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
          bytes += chunk.length
          if (bytes > 100 * 1024 * 1024) giveUp.abort()
        }
      })(),
    ).rejects.toThrow()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * 1024 * 1024)
    await vi.waitFor(() => expect(isLeft).toBe(true))
    await vi.waitFor(() => expect(proxy.observed.map(judged)).toEqual([[]]))
  })

  test.each([
    ['more', 'Content-Length: 500\r\n\r\n{"id":1,"name":"Ada"}', ['response.200.body broke off']],
    ['less', 'Content-Length: 21\r\n\r\n{"id":1,"name":"Ada"}and more', []],
  ])('that promises %s than it sends is passed on as it is, and found out', async (_, rest, misfits) => {
    const url = await rawUpstream((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${rest}`),
    )
    const proxy = await proxyTo(url)
    const got = await raw(
      proxy.url,
      'GET /users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      () => false,
    )
    expect(got).toContain('{"id":1,"name":"Ada"}')
    await vi.waitFor(() => expect(proxy.observed.map(judged)).toEqual([misfits]))
  })

  test('that ends a connection that was kept is asked again, where nothing can happen twice', async () => {
    let asked = 0
    const url = await rawUpstream((socket, text) => {
      asked++
      // The second request on a connection gets no answer.
      if (text.split('GET ').length > 2) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    const proxy = await proxyTo(url)
    expect(await (await fetch(`${proxy.url}/a`)).text()).toBe('ok')
    expect(await (await fetch(`${proxy.url}/b`)).text()).toBe('ok')
    expect(asked).toBeGreaterThanOrEqual(2)
  })
})
