import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon } from '../support/daemon.ts'
import { arrives, BOUND, bothHealthy, createProject, FRONTEND, healthOf, pair } from './pairs.ts'

/** Takes a port, answers every path with one document, and keeps every byte that it is sent. */
async function takePort(port: number, documents: (path: string) => string) {
  const seen: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      seen.push(data.toString())
      const text = documents(data.toString().split(' ')[1] ?? '')
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    seen,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('who takes the port of a paired peer that stopped gets neither our key nor what we write', async () => {
  await using backend = await daemon({ peerRetrySeconds: [0, 0, 0, 0] })
  const frontend = await daemon(FRONTEND)
  await pair(backend, frontend)
  await bothHealthy(backend, frontend)
  await arrives(frontend, await createProject(backend))
  const card = (await frontend.fetch('/.well-known/agent.json')).text
  const port = Number(new URL(frontend.url).port)
  await frontend[Symbol.asyncDispose]()

  await using taker = await takePort(port, (path) =>
    path === '/.well-known/agent.json' ? card : '{"status":"healthy","proof":"a.b.c"}',
  )
  await createProject(backend, { name: 'Confidential' })
  await cacpd(['work', 'send', 'frontend-app', 'echo', '--param', 'text=Confidential'], {
    cwd: dirname(backend.dataDir),
  })
  await expect.poll(() => healthOf(backend), BOUND).toEqual(['stranger'])
  expect(taker.seen.filter((sent) => sent.includes('/.well-known/cacpd-proof/'))).not.toEqual([])
  expect(taker.seen.filter((sent) => !sent.startsWith('GET /'))).toEqual([])
  expect(taker.seen.join()).not.toMatch(/authorization|cacp_sk_live_|Confidential/i)
}, 30_000)
