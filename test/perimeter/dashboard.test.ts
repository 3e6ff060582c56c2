import { expect, test } from 'vitest'
import { dashboard } from '../support/daemons/dashboard.ts'
import { answerTo, rawConnection } from './raw.ts'

/** What no browser sends, at the doors of the dashboard. */

const statusIn = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

test.each([
  ['a header of a megabyte', 'GET /ui/', `X-CACPD-UI: ${'A'.repeat(1024 * 1024)}\r\n`, 431],
  ['two thousand headers', 'GET /ui/', 'X-A: b\r\n'.repeat(2000), 431],
  ['a jar of cookies that is too large', 'GET /ui/', `Cookie: ${'a=b; '.repeat(5000)}\r\n`, 431],
  ['two hosts', 'GET /ui/', 'Host: evil.example\r\n', 400],
  ['a body that is announced as too large', 'POST /ui/session', 'Content-Length: 2000000\r\n', 413],
])('%s is refused', async (_what, line, more, status) => {
  await using at = await dashboard()
  const { host } = new URL(at.url)
  const headers = `Host: ${host}\r\nOrigin: ${at.origin}\r\nContent-Type: application/json\r\nConnection: close\r\n`
  const answer = await answerTo(await rawConnection(at), `${line} HTTP/1.1\r\n${headers}${more}\r\n`)
  expect(statusIn(answer)).toBe(status)
})

test.each([
  ['not JSON', '{'],
  ['no object', '"code"'],
  ['a code that is none', '{"code":["x"]}'],
  ['a code that is too long', `{"code":"${'a'.repeat(1000)}"}`],
  ['more than a code', '{"code":"x","session":"y"}'],
  ['nested deeply', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
])('a login with %s is refused and told why', async (_what, body) => {
  await using at = await dashboard()
  const headers = { authorization: '', origin: at.origin, 'content-type': 'application/json' }
  const reply = await at.fetch('/ui/session', { method: 'POST', headers, body })
  expect(reply.status).toBe(400)
  expect(reply.json.error.message.length).toBeGreaterThan(5)
  expect(reply.text.length).toBeLessThan(2000)
})

test('a token that is sent twice is no token', async () => {
  await using at = await dashboard()
  const { cookie, token } = await at.open()
  const { host } = new URL(at.url)
  const twice = `X-CACPD-UI: ${token}\r\nX-CACPD-UI: ${token}\r\n`
  const sent = `GET /ui/session HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\n${twice}Connection: close\r\n\r\n`
  expect(statusIn(await answerTo(await rawConnection(at), sent))).toBe(401)
})

test('five hundred cookies of others do not hide ours', async () => {
  await using at = await dashboard()
  const { getting, cookie } = await at.open()
  const jar = Array.from({ length: 500 }, (_, n) => `c${n}=v`).join('; ')
  const reply = await at.fetch('/ui/session', { headers: { ...getting, cookie: `${jar}; ${cookie}` } })
  expect(reply.status).toBe(200)
})
