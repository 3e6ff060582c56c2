import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { daemon } from '../../support/daemons/daemon.ts'

test('a caller that does not wait for the end of a file is no failure to report', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  await using backend = await daemon({}, { log })
  const { json } = await backend.fetch('/files', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.alloc(9_000_000, 'x'),
  })
  const caller = connect(Number(new URL(backend.url).port), '127.0.0.1')
  const headers = `host: 127.0.0.1\r\nauthorization: Bearer ${backend.key}\r\n`
  caller.write(`GET /files/${json.sha256} HTTP/1.1\r\n${headers}\r\n`)
  await once(caller, 'data')
  caller.destroy()
  // Its connection is closed for good when the daemon has stopped serving.
  await backend.restart()
  expect(lines).toEqual([])
})

test.each(['plain ASCII', 'é and ÿ, which Latin-1 has', '€ and 😀, which it has not'])(
  'an answer arrives as it was written: %s',
  async (name) => {
    await using backend = await daemon()
    const body = JSON.stringify({ jsonrpc: '2.0', id: name, method: 'cacp/project/list', params: {} })
    const answer = await fetch(backend.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${backend.key}` },
      body,
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.length).toBe(Number(answer.headers.get('content-length')))
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({ id: name, result: {} })
  },
)
