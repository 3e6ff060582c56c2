import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { answerTo, rawConnection } from '../../perimeter/raw.ts'
import { dashboard, pageFolder } from '../../support/daemons/dashboard.ts'

const NOBODY = { headers: { authorization: '' } }

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

describe('the page', () => {
  test.each(['/ui/', '/ui/inbox', '/ui/c/project/contract?v=2..4', '/ui/a/b/c/d/e'])(
    'is the same document at %s, for everybody at this machine',
    async (path) => {
      await using at = await dashboard()
      const { status, headers, text } = await at.fetch(path, NOBODY)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(text).toContain('src="/ui/assets/app-ABCD1234.js"')
    },
  )

  test('has its path at the end of which its files begin', async () => {
    await using at = await dashboard()
    const { status, headers } = await at.fetch('/ui', NOBODY)
    expect([status, headers['location']]).toEqual([308, 'ui/'])
  })

  test.each([
    '/ui/',
    '/ui/assets/app-ABCD1234.js',
    '/ui/assets/missing.js',
    '/ui/session',
    '/ui/daemons',
    '/UI/',
  ])('and all else below it has the headers that keep everything foreign out: %s', async (path) => {
    await using at = await dashboard()
    const { headers } = await at.fetch(path, NOBODY)
    expect(headers).toMatchObject({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-frame-options': 'DENY',
    })
    expect(headers['permissions-policy']).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/)
    expect(headers['service-worker-allowed']).toBeUndefined()
  })

  test('its headers stay with it', async () => {
    await using at = await dashboard()
    const { headers } = await at.fetch('/health', NOBODY)
    expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'")
  })

  test('is kept only after asking whether it is still the same', async () => {
    await using at = await dashboard()
    const { headers } = await at.fetch('/ui/', NOBODY)
    expect(headers['cache-control']).toBe('no-cache')
    const etag = String(headers['etag'])
    const again = await at.fetch('/ui/other', {
      headers: { authorization: '', 'if-none-match': `"x", ${etag}` },
    })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers['etag']).toBe(etag)
  })

  test('never holds the operator key', async () => {
    await using at = await dashboard()
    const page = await at.open()
    const { code } = await at.newCode()
    const replies = [
      await at.fetch('/ui/', NOBODY),
      await at.fetch('/ui/assets/app-ABCD1234.js', NOBODY),
      await at.fetch('/ui/login-codes', { method: 'POST' }),
      await at.exchange(code),
      await at.fetch('/ui/session', { headers: page.getting }),
      await at.fetch('/ui/daemons', { headers: page.getting }),
    ]
    for (const { text, headers, status } of replies) {
      expect(status).toBe(200)
      expect(text + JSON.stringify(headers)).not.toContain(at.key)
      expect(text + JSON.stringify(headers)).not.toContain('cacp_op_')
    }
    expect(page.cookie + page.token).not.toContain(at.key)
  })
})

describe('a file of the page', () => {
  test('with its content in its name is kept for ever', async () => {
    await using at = await dashboard()
    const { headers } = await at.fetch('/ui/assets/app-ABCD1234.js', NOBODY)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    const icon = await at.fetch('/ui/assets/icon.svg', NOBODY)
    expect([icon.headers['cache-control'], icon.headers['content-type']]).toEqual([
      'no-cache',
      'image/svg+xml',
    ])
  })

  test('is sent compressed to who takes that', async () => {
    await using at = await dashboard()
    const path = '/ui/assets/app-ABCD1234.js'
    const plain = await at.fetch(path, NOBODY)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const get = async (accepted: string) => {
      const reply = await request(`${at.url}${path}`, {
        headers: { 'accept-encoding': accepted },
      })
      return { headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) }
    }
    const { headers, bytes } = await get('br, gzip;q=0.8')
    expect([headers['content-encoding'], headers['vary']]).toEqual(['gzip', 'accept-encoding'])
    expect(gunzipSync(bytes).toString()).toBe(plain.text)
    expect(bytes.length).toBeLessThan(plain.text.length / 5)
    for (const none of ['identity', 'gzip;q=0', 'gzip; q=0.0'])
      expect((await get(none)).headers['content-encoding']).toBeUndefined()
  })

  test('answers HEAD without its bytes', async () => {
    await using at = await dashboard()
    const { status, headers, text } = await at.fetch('/ui/assets/icon.svg', { method: 'HEAD', ...NOBODY })
    expect([status, text]).toEqual([200, ''])
    expect(Number(headers['content-length'])).toBeGreaterThan(10)
  })

  test('is one of those that were there at the start, and of a type that pages load', async () => {
    const folder = await pageFolder()
    await using at = await dashboard({}, { pageFolder: folder })
    await writeFile(join(folder, 'assets', 'later.js'), 'alert(1)')
    await writeFile(join(folder, 'assets', 'app-ABCD1234.js'), 'alert(1)')
    for (const name of ['later.js', 'notes.txt', 'missing.js', 'constructor', '__proto__'])
      expect((await at.fetch(`/ui/assets/${name}`, NOBODY)).status).toBe(404)
    expect((await at.fetch('/ui/assets/app-ABCD1234.js', NOBODY)).text).not.toContain('alert')
  })

  test.each([
    '/ui/assets/../../secret.txt',
    '/ui/assets/..%2f..%2fsecret.txt',
    '/ui/assets/%2e%2e%2fsecret.txt',
    '/ui/../secret.txt',
    '/ui/assets/..\\..\\secret.txt',
    '/ui/assets//etc/passwd',
    '/ui/%00',
    '/ui/assets/%c0%ae%c0%ae/secret.txt',
  ])('leads nowhere else: %s', async (path) => {
    await using at = await dashboard()
    const host = new URL(at.url).host
    const sent = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const answer = await answerTo(await rawConnection(at), sent)
    expect(answer).toMatch(/^HTTP\/1\.1 (?:200|400|404) /)
    expect(answer).not.toContain('beside the page')
    expect(answer).not.toContain('root:')
  })
})

test('other verbs are told which ones there are', async () => {
  await using at = await dashboard()
  const page = await at.open()
  const wrong = await at.fetch('/ui/', { method: 'POST', headers: page.posting, body: '{}' })
  expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, HEAD'])
  const session = await at.fetch('/ui/session', { method: 'PUT', headers: page.posting })
  expect([session.status, session.headers['allow']]).toEqual([405, 'POST, GET, HEAD, DELETE'])
})
