import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as passing } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

test('a body that is not UTF-8 is a parse error, never read as other letters', async () => {
  await using backend = await daemon()
  const [head, tail] = ['{"jsonrpc":"2.0","id":1,"method":"cacp/project/create","params":{"name":"', '"}}']
  const body = Buffer.concat([Buffer.from(head), Buffer.from([0x63, 0xff, 0xc3]), Buffer.from(tail)])
  const send = (path: string) => backend.fetch(path, { method: 'POST', headers: JSON_TYPE, body })
  expect((await send('/')).json).toMatchObject({ id: null, error: { code: -32700 } })
  expect(await send('/peers/register')).toMatchObject({
    status: 400,
    json: { error: { kind: 'parse_error' } },
  })
})

test.each([
  ['/', 'application/json'],
  ['/peers/register', 'application/json'],
  ['/files', 'application/octet-stream'],
])('a caller of %s who leaves in the middle of a body is no failure of ours', async (path, type) => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => lines.push(line) })
  await using backend = await daemon({}, { log })
  const { bytes } = (await backend.fetch('/health')).json.store
  await leaveMidBody(backend, path, type)
  await passing(100)
  expect(lines).toEqual([])
  expect((await backend.fetch('/health')).json.store.bytes).toBe(bytes)
})

async function leaveMidBody({ url, key }: TestDaemon, path: string, type: string): Promise<void> {
  const { port, host, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n{"a":`,
  )
  await passing(100)
  socket.destroy()
}
