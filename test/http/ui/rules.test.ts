import { describe, expect, test } from 'vitest'
import { answerTo, rawConnection } from '../../perimeter/raw.ts'
import { dashboard } from '../../support/daemons/dashboard.ts'

/** Who may use the dashboard and its sessions, from where, and what a foreign page meets. */

const CALL = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list', params: {} }

const kindOf = (json: { error?: { kind?: string; data?: { kind?: string } } } | undefined) =>
  json?.error?.data?.kind ?? json?.error?.kind

describe('by its own names only', () => {
  test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '127.0.0.2', 'x@127.0.0.1'])(
    'every route is refused to who calls it by %s',
    async (host) => {
      await using at = await dashboard()
      const page = await at.open()
      const { port } = new URL(at.url)
      for (const path of ['/ui/', '/ui/assets/icon.svg', '/ui/session', '/ui/login-codes/x', '/ui/daemons'])
        expect((await at.fetch(path, { headers: { ...page.getting, host: `${host}:${port}` } })).status).toBe(
          403,
        )
      expect((await at.post(CALL, { ...page.posting, host: `${host}:${port}` })).status).toBe(403)
    },
  )

  test('without a Host nothing is answered', async () => {
    await using at = await dashboard()
    const answer = await answerTo(await rawConnection(at), 'GET /ui/ HTTP/1.0\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('each of its names is an origin of its own', async () => {
    await using at = await dashboard()
    const page = await at.open()
    const host = `localhost:${new URL(at.url).port}`
    expect((await at.post(CALL, { ...page.posting, host, origin: `http://${host}` })).status).toBe(200)
    expect((await at.post(CALL, { ...page.posting, host, origin: at.origin })).status).toBe(403)
  })

  test('a port that ssh forwards is as good as its own', async () => {
    await using at = await dashboard()
    const page = await at.open()
    const forwarded = { host: '127.0.0.1:9090', origin: 'http://127.0.0.1:9090' }
    expect((await at.post(CALL, { ...page.posting, ...forwarded })).status).toBe(200)
  })
})

describe('for its own page only', () => {
  const FOREIGN = ['https://evil.example', 'http://127.0.0.1:3000', 'null', 'http://localhost']

  test.each(FOREIGN)('a session is refused to pages from %s, without leave to read that', async (origin) => {
    await using at = await dashboard()
    const page = await at.open()
    const replies = [
      await at.post(CALL, { ...page.posting, origin }),
      await at.fetch('/ui/session', { headers: { ...page.getting, origin } }),
      await at.fetch('/events', { headers: { ...page.getting, origin } }),
      await at.exchange((await at.newCode()).code, { origin }),
    ]
    for (const { status, headers } of replies) {
      expect(status).toBe(403)
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  test('the scheme is part of the origin', async () => {
    await using at = await dashboard()
    const page = await at.open()
    const origin = at.origin.replace('http:', 'https:')
    expect((await at.post(CALL, { ...page.posting, origin })).status).toBe(403)
  })

  test.each(['same-site', 'cross-site', 'none', ''])(
    'a GET that the browser calls "%s" is refused',
    async (site) => {
      await using at = await dashboard()
      const page = await at.open()
      for (const path of ['/ui/session', '/peers', '/ui/daemons']) {
        const reply = await at.fetch(path, { headers: { ...page.getting, 'sec-fetch-site': site } })
        expect([reply.status, kindOf(reply.json)]).toEqual([403, 'forbidden'])
      }
    },
  )

  test('a call that changes something needs an Origin, whatever else the browser says', async () => {
    await using at = await dashboard()
    const page = await at.open()
    expect((await at.post(CALL, page.getting)).status).toBe(403)
    expect((await at.fetch('/ui/session', { method: 'DELETE', headers: page.getting })).status).toBe(403)
    expect(
      (await at.exchange((await at.newCode()).code, { origin: '', 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(403)
  })

  test('its origin opens nothing without a session', async () => {
    await using at = await dashboard()
    await using open = await dashboard({ open: true })
    for (const one of [at, open]) {
      const headers = { authorization: '', origin: one.origin }
      expect((await one.post(CALL, headers)).status).toBe(403)
      expect((await one.fetch('/health', { headers })).status).toBe(403)
    }
    expect((await at.post(CALL, { origin: at.origin })).status).toBe(403)
  })

  test('an origin that is listed gets no session, and may still call with a key', async () => {
    const origin = 'https://tool.example'
    await using at = await dashboard({ allowedOrigins: [origin] })
    const page = await at.open()
    const refused = await at.post(CALL, { ...page.posting, origin })
    expect(refused.status).toBe(403)
    expect(refused.headers['access-control-allow-origin']).toBeUndefined()
    const allowed = await at.post(CALL, { origin })
    expect(allowed.status).toBe(200)
    expect(allowed.headers['access-control-allow-origin']).toBe(origin)
    expect(allowed.headers['access-control-allow-credentials']).toBeUndefined()
    const preflight = await at.fetch('/', { method: 'OPTIONS', headers: { authorization: '', origin } })
    expect(String(preflight.headers['access-control-allow-headers'])).not.toMatch(/x-cacpd-ui|cookie/i)
    expect((await at.exchange((await at.newCode()).code, { origin })).status).toBe(403)
  })

  test('a session answers without leave for other pages', async () => {
    await using at = await dashboard()
    const page = await at.open()
    const { headers } = await at.post(CALL, page.posting)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('with one credential', () => {
  test.each([
    [
      'both halves',
      (page: { cookie: string; token: string }) => ({ cookie: page.cookie, 'x-cacpd-ui': page.token }),
    ],
    ['the cookie', (page: { cookie: string }) => ({ cookie: page.cookie })],
    ['the token', (page: { token: string }) => ({ 'x-cacpd-ui': page.token })],
  ])('a key beside %s is refused', async (_what, halves) => {
    await using at = await dashboard()
    const page = await at.open()
    const posting = { origin: at.origin, 'sec-fetch-site': 'same-origin', ...halves(page) }
    const replies = [
      await at.post(CALL, posting),
      await at.post(CALL, { ...posting, authorization: '', 'x-project-token': 'x' }),
      await at.fetch('/ui/', { headers: halves(page) }),
      await at.fetch('/ui/session', { method: 'POST', headers: posting, body: '{}' }),
    ]
    for (const { status, json } of replies) expect([status, kindOf(json)]).toEqual([400, 'bad_headers'])
  })

  test('cookies of others beside a key do no harm', async () => {
    await using at = await dashboard()
    expect((await at.post(CALL, { cookie: 'cacpd_ui_1_00000000=x; theme=dark' })).status).toBe(200)
  })

  test('a person acts for the daemon’s own agent', async () => {
    await using at = await dashboard()
    const page = await at.open()
    const as = (agentId: string) => at.post(CALL, { ...page.posting, 'x-agent-id': agentId })
    expect((await as('aid://example.com/other@1.0.0')).status).toBe(403)
    expect((await as('aid://example.com/backend@1.0.0')).status).toBe(200)
  })

  test('no session makes a code for another one', async () => {
    await using at = await dashboard()
    const page = await at.open()
    const reply = await at.fetch('/ui/login-codes', { method: 'POST', headers: page.posting })
    expect([reply.status, reply.json.error.message]).toEqual([
      403,
      'A session of the dashboard cannot make another one',
    ])
    const followed = await at.fetch(`/ui/login-codes/${'0'.repeat(64)}`, { headers: page.getting })
    expect(followed.status).toBe(403)
  })
})

test('nothing is done by a GET', async () => {
  await using at = await dashboard()
  const page = await at.open()
  const { code } = await at.newCode()
  for (const path of [`/ui/session?code=${code}`, '/ui/login-codes', '/ui/session?logout', `/ui/#c=${code}`])
    expect((await at.fetch(path, { headers: page.getting })).status).toBe(200)
  expect((await at.rpc('cacp/ui/sessions')).sessions).toHaveLength(1)
  expect((await at.exchange(code)).status).toBe(200)
  // A request that a form or an image of another page could send.
  const plain = await at.exchange((await at.newCode()).code, { 'content-type': 'text/plain' })
  expect(plain.status).toBe(415)
})

describe('guessing', () => {
  test('is slowed down like pairing', async () => {
    await using at = await dashboard({ ratePairing: 30 })
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await at.exchange('A'.repeat(43))).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.slice(10)).toEqual([429, 429])
    const { code } = await at.newCode()
    const limited = await at.exchange(code)
    expect([limited.status, limited.json.error.limit]).toEqual([429, 'ratePairing'])
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('is slowed down at an open daemon too', async () => {
    await using at = await dashboard({ open: true })
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await at.exchange('A'.repeat(43))).status)
    expect(statuses).toContain(429)
  })

  test('leaves lines in the audit trail, as does what a person then does', async () => {
    await using at = await dashboard()
    await at.exchange('A'.repeat(43))
    const page = await at.open()
    const named = { name: 'Auth', objective: 'o', repos: [{ name: 'backend-api' }] }
    const { projectId } = await page.rpc('cacp/project/create', named)
    await at.fetch('/ui/session', { method: 'DELETE', headers: page.posting })
    const { lines } = await at.rpc('cacp/audit/list')
    const [login] = lines.filter(({ via, what }: Line) => via === 'ui' && what === 'POST /ui/session')
    expect(login).toMatchObject({ outcome: 'allowed', caller: 'operator', from: '127.0.0.1' })
    const told = lines.filter(({ credential }: Line) => credential === login.credential)
    expect(told.map(({ what }: Line) => what).sort()).toEqual([
      'DELETE /ui/session',
      'POST /ui/session',
      'cacp/project/create',
    ])
    expect(told.every(({ via }: Line) => via === 'ui')).toBe(true)
    expect(lines).toContainEqual(expect.objectContaining({ what: 'cacp/project/create', projectId }))
    expect(lines).toContainEqual(
      expect.objectContaining({ outcome: 'refused', fault: 'unauthorized', what: 'POST /ui/session' }),
    )
    const secrets = [page.token, page.cookie.split('=')[1] ?? '']
    for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret)
  })
})

interface Line {
  readonly what: string
  readonly via?: string
  readonly credential?: string
}

test('an open daemon wants a session for its dashboard all the same', async () => {
  await using at = await dashboard({ open: true })
  const anybody = { authorization: '', 'sec-fetch-site': 'same-origin' }
  expect((await at.fetch('/ui/session', { headers: anybody })).status).toBe(403)
  expect((await at.fetch('/ui/daemons', { headers: anybody })).status).toBe(403)
  expect((await at.fetch('/ui/login-codes', { method: 'POST', headers: anybody })).status).toBe(403)
  const page = await at.open()
  expect((await at.fetch('/ui/session', { headers: page.getting })).status).toBe(200)
})

describe('at this machine', () => {
  const FORWARDED: [string, string][] = [
    ['x-forwarded-for', '198.51.100.7'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-host', 'laptop.example'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '198.51.100.7'],
    ['forwarded', 'for=198.51.100.7'],
    ['via', '1.1 proxy'],
    ['host', 'laptop.example'],
  ]

  test.each(FORWARDED)('what comes with %s: %s is from elsewhere, and refused', async (name, value) => {
    await using at = await dashboard({ publicUrl: 'https://laptop.example' })
    const page = await at.open()
    const from = { [name]: value }
    const { code } = await at.newCode()
    const replies = [
      await at.fetch('/ui/', { headers: from }),
      await at.fetch('/ui/assets/icon.svg', { headers: from }),
      await at.fetch('/ui/session', { headers: { ...page.getting, ...from } }),
      await at.exchange(code, { ...from, origin: 'https://laptop.example' }),
      await at.fetch('/ui/login-codes', { method: 'POST', headers: from }),
      await at.post(CALL, { ...page.posting, ...from }),
    ]
    for (const { status, json } of replies) expect([status, kindOf(json)]).toEqual([403, 'forbidden'])
    expect(replies[0]?.json.error).toMatchObject({
      message: 'The dashboard of this daemon answers people at its own machine only',
      next: expect.stringMatching(/cacpd ui.*ssh.*"remote": true/),
    })
    expect((await at.fetch('/ui/', { headers: {} })).status).toBe(200)
  })

  test('unless it is for others too, who come by the public URL', async () => {
    const publicUrl = 'https://laptop.example'
    await using at = await dashboard({ publicUrl, ui: { remote: true, basePath: '' } })
    const host = { host: 'laptop.example', 'x-forwarded-for': '198.51.100.7' }
    const { code, remoteUrl } = (await at.fetch('/ui/login-codes', { method: 'POST' })).json
    expect(remoteUrl).toBe(`${publicUrl}/ui/#c=${code}`)
    expect((await at.exchange(code, { ...host, origin: 'http://laptop.example' })).status).toBe(403)
    const reply = await at.exchange(code, { ...host, origin: publicUrl })
    expect(reply.status).toBe(200)
    const cookie = String(reply.headers['set-cookie'])
    expect(cookie).toMatch(/^__Host-cacpd_ui_\d+_[0-9a-f]{8}=[\w-]{43}; Path=\/; .*; Secure$/)
    const halves = { authorization: '', cookie: cookie.split(';')[0] ?? '', 'x-cacpd-ui': reply.json.token }
    expect((await at.post(CALL, { ...halves, ...host, origin: publicUrl })).status).toBe(200)
    expect((await at.post(CALL, { ...halves, ...host, origin: at.origin })).status).toBe(403)
    const session = { ...halves, ...host, 'sec-fetch-site': 'same-origin' }
    expect((await at.fetch('/ui/session', { headers: session })).json.baseUrl).toBe(publicUrl)
  })
})

describe('switched off', () => {
  test('there is no route, no header of the page, and sessions count for nothing', async () => {
    await using at = await dashboard({ ui: false })
    await using on = await dashboard()
    const page = await on.open()
    for (const path of ['/ui', '/ui/', '/ui/session', '/ui/assets/icon.svg', '/ui/daemons', '/ui/x/y']) {
      const reply = await at.fetch(path)
      expect([path, reply.status, kindOf(reply.json)]).toEqual([path, 404, 'not_found'])
      expect(String(reply.headers['content-security-policy'])).not.toContain('script-src')
    }
    expect((await at.fetch('/ui/login-codes', { method: 'POST' })).status).toBe(404)
    expect((await at.post(CALL, page.posting)).status).toBe(403)
    expect((await at.fetch('/peers', { headers: page.getting })).status).toBe(401)
    expect((await at.rpc('cacp/ui/sessions')).sessions).toEqual([])
  })

  test('it is not described either', async () => {
    await using off = await dashboard({ ui: false })
    await using on = await dashboard()
    expect((await off.fetch('/openapi.json')).json.paths).not.toHaveProperty('/ui/session')
    expect((await on.fetch('/openapi.json')).json.paths).toHaveProperty('/ui/session')
  })
})
