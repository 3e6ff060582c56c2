import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/io/system/clock.ts'
import { addMicros } from '../../../src/protocol/stamp.ts'
import { type Dashboard, dashboard, type TestPage } from '../../support/daemons/dashboard.ts'
import { followEvents } from '../../support/daemons/event-reader.ts'

const DAY = 24 * 60 * 60

/** A dashboard whose clock can be set ahead. */
async function withClock() {
  let ahead = 0
  const clock = { ...systemClock, now: () => addMicros(systemClock.now(), ahead * 1_000_000) }
  const at = await dashboard({}, { clock })
  const pass = (seconds: number) => {
    ahead += seconds
  }
  return { at, pass }
}

const usedAt = async (at: Dashboard): Promise<string> => (await at.rpc('cacp/ui/sessions')).sessions[0].usedAt

/** Uses the session after so many seconds, and waits until that is noted. */
async function useAfter(
  seconds: number,
  page: TestPage,
  { at, pass }: Awaited<ReturnType<typeof withClock>>,
) {
  const before = await usedAt(at)
  pass(seconds)
  // While one use is being written, another one is not noted.
  const use = async () => {
    expect(await isLetIn(at, page)).toBe(true)
    return usedAt(at)
  }
  await expect.poll(use).not.toBe(before)
}

const statusOf = async (at: Dashboard, headers: Record<string, string>) =>
  (await at.fetch('/ui/session', { headers })).status

const isLetIn = async (at: Dashboard, page: TestPage) => (await statusOf(at, page.getting)) === 200

describe('a login code', () => {
  test('becomes a session of two halves, which tells the page whose daemon this is', async () => {
    await using at = await dashboard()
    const { code, url, expiresAt, words } = (await at.fetch('/ui/login-codes', { method: 'POST' })).json
    expect(url).toBe(`${at.url}/ui/#c=${code}`)
    expect(code).toMatch(/^[\w-]{43}$/)
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(30_000)
    const { status, headers, json } = await at.exchange(code)
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['token'])
    expect(headers['cache-control']).toBe('no-store')
    const cookie = String(headers['set-cookie'])
    expect(cookie).toMatch(
      new RegExp(
        `^cacpd_ui_${new URL(at.url).port}_[0-9a-f]{8}=[\\w-]{43}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$`,
      ),
    )
    const getting = { authorization: '', cookie: cookie.split(';')[0] ?? '', 'x-cacpd-ui': json.token }
    const session = await at.fetch('/ui/session', {
      headers: { ...getting, 'sec-fetch-site': 'same-origin' },
    })
    expect(session.json).toEqual({
      sessionId: expect.stringMatching(/^[0-9a-f]{8}$/),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      agentId: 'aid://example.com/backend@1.0.0',
      repo: 'backend-api',
      words,
      version: expect.any(String),
      build: 'ABCD1234',
      baseUrl: at.url,
      cursor: expect.any(String),
    })
    // Sent again, so that the browser keeps it for longer.
    expect(String(session.headers['set-cookie'])).toMatch(
      /; Path=\/; Max-Age=604[78]\d\d; HttpOnly; SameSite=Strict$/,
    )
  })

  test('works once', async () => {
    await using at = await dashboard()
    const { code } = await at.newCode()
    expect((await at.exchange(code)).status).toBe(200)
    const again = await at.exchange(code)
    expect(again.status).toBe(401)
    expect(again.headers['set-cookie']).toBeUndefined()
    expect(again.json.error).toMatchObject({
      message: 'code: it was used already, or its minute is over, or it never was one',
      next: expect.stringContaining('cacpd ui'),
    })
  })

  test('of two who use it at the same time only one comes in', async () => {
    await using at = await dashboard()
    const { code } = await at.newCode()
    const replies = await Promise.all(Array.from({ length: 5 }, () => at.exchange(code)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
  })

  test('works for a minute', async () => {
    const { at, pass } = await withClock()
    await using _ = at
    const { code } = await at.newCode()
    pass(61)
    expect((await at.exchange(code)).status).toBe(401)
  })

  test('does not outlive the process that made it', async () => {
    await using at = await dashboard()
    const { code } = await at.newCode()
    await at.restart()
    expect((await at.exchange(code)).status).toBe(401)
  })

  test('of more than a hundred the oldest are forgotten', async () => {
    await using at = await dashboard()
    const codes: string[] = []
    for (let n = 0; n < 101; n++) codes.push((await at.newCode()).code)
    expect((await at.exchange(codes[0] ?? '')).status).toBe(401)
    expect((await at.exchange(codes[1] ?? '')).status).toBe(200)
  })

  test('tells whoever made it what became of it', async () => {
    const { at, pass } = await withClock()
    await using _ = at
    const follow = async (codeId: string) => (await at.fetch(`/ui/login-codes/${codeId}`)).json
    const { code, codeId } = await at.newCode()
    const followed = follow(codeId)
    await at.exchange(code, { 'user-agent': 'a browser' })
    expect(await followed).toEqual({
      status: 'used',
      sessionId: expect.stringMatching(/^[0-9a-f]{8}$/),
      userAgent: 'a browser',
      address: '127.0.0.1',
    })
    const unused = await at.newCode()
    pass(61)
    expect(await follow(unused.codeId)).toEqual({ status: 'expired' })
    expect((await at.fetch(`/ui/login-codes/${'0'.repeat(64)}`)).status).toBe(404)
  })
})

describe('of the two halves', () => {
  test('neither is enough, and those of two sessions do not fit', async () => {
    await using at = await dashboard()
    const [one, other] = [await at.open(), await at.open()]
    expect(await statusOf(at, one.getting)).toBe(200)
    expect(await statusOf(at, { ...one.getting, cookie: '' })).toBe(401)
    expect(await statusOf(at, { ...one.getting, 'x-cacpd-ui': '' })).toBe(401)
    expect(await statusOf(at, { ...one.getting, cookie: other.cookie })).toBe(401)
    expect(await statusOf(at, { ...one.getting, 'x-cacpd-ui': 'A'.repeat(43) })).toBe(401)
    expect(await statusOf(at, { ...one.getting, 'x-cacpd-ui': one.cookie.split('=')[1] ?? '' })).toBe(401)
  })

  test('no daemon takes those of another one', async () => {
    await using at = await dashboard()
    await using neighbour = await dashboard()
    const page = await at.open()
    expect(await statusOf(neighbour, page.getting)).toBe(401)
  })

  test('a cookie of the same name that another server set does not shut the page out', async () => {
    await using at = await dashboard()
    const { getting, cookie } = await at.open()
    const [name] = cookie.split('=')
    const others = Array.from({ length: 150 }, (_, n) => `${name}=${String(n).padStart(43, '0')}`)
    const headers = { ...getting, cookie: [...others, cookie, 'theme=dark'].join('; ') }
    const reply = await at.fetch('/ui/session', { headers })
    expect(reply.status).toBe(200)
    expect(String(reply.headers['set-cookie'])).toContain(`${cookie};`)
  })

  test('neither is on disk, and no code is', async () => {
    await using at = await dashboard()
    const { code } = await at.newCode()
    const page = await at.open()
    const [, cookie = ''] = page.cookie.split('=')
    await at.restart()
    const names = await readdir(at.dataDir, { recursive: true, withFileTypes: true })
    const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
    expect(files.length).toBeGreaterThan(3)
    const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')))
    for (const secret of [code, cookie, page.token])
      expect(files.filter((_, index) => texts[index]?.includes(secret))).toEqual([])
  })
})

describe('a session', () => {
  test('goes on after a restart', async () => {
    await using at = await dashboard()
    const page = await at.open()
    await at.restart()
    expect(await isLetIn(at, page)).toBe(true)
  })

  test('ends after seven days without use', async () => {
    const { at, pass } = await withClock()
    await using _ = at
    const page = await at.open()
    pass(7 * DAY + 1)
    expect(await isLetIn(at, page)).toBe(false)
  })

  test('lasts longer where it is used, and ends after thirty days all the same', async () => {
    const clocked = await withClock()
    const { at, pass } = clocked
    await using _ = at
    const page = await at.open()
    for (let day = 0; day < 25; day += 5) await useAfter(5 * DAY, page, clocked)
    await at.restart()
    await useAfter(4 * DAY, page, clocked)
    pass(DAY)
    expect(await isLetIn(at, page)).toBe(false)
  })

  test('tells the browser to keep the cookie no longer than it lasts', async () => {
    const clocked = await withClock()
    const { at } = clocked
    await using _ = at
    const page = await at.open()
    for (const days of [6, 6, 6, 6, 5]) await useAfter(days * DAY, page, clocked)
    const { headers } = await at.fetch('/ui/session', { headers: page.getting })
    const seconds = Number(/Max-Age=(\d+)/.exec(String(headers['set-cookie']))?.[1])
    expect(seconds).toBeLessThanOrEqual(DAY)
    expect(seconds).toBeGreaterThan(DAY - 600)
  })

  test('is logged out by its page, and the cookie goes', async () => {
    await using at = await dashboard()
    const [page, other] = [await at.open(), await at.open()]
    const { status, headers } = await at.fetch('/ui/session', { method: 'DELETE', headers: page.posting })
    expect(status).toBe(204)
    expect(String(headers['set-cookie'])).toMatch(/^cacpd_ui_\d+_[0-9a-f]{8}=; Path=\/; Max-Age=0; HttpOnly/)
    expect([await isLetIn(at, page), await isLetIn(at, other)]).toEqual([false, true])
  })

  test('is listed, with the one that asks marked, and ended by another one', async () => {
    await using at = await dashboard()
    const [page, other] = [await at.open(), await at.open()]
    const { sessions } = await other.rpc('cacp/ui/sessions')
    expect(sessions.map(({ isOwn }: { isOwn: boolean }) => isOwn).sort()).toEqual([false, true])
    const { sessionId } = sessions.find(({ isOwn }: { isOwn: boolean }) => !isOwn)
    expect((await other.rpc('cacp/ui/revoke', { sessionId })).sessions).toMatchObject([{ sessionId }])
    expect([await isLetIn(at, page), await isLetIn(at, other)]).toEqual([false, true])
  })

  test('ends with all others when the key of the daemon is replaced', async () => {
    await using at = await dashboard()
    const pages = [await at.open(), await at.open()]
    await at.rpc('cacp/identity/rotate')
    for (const page of pages) expect(await isLetIn(at, page)).toBe(false)
    expect((await at.rpc('cacp/ui/sessions')).sessions).toEqual([])
  })

  test('ends with all others when the operator key is replaced', async () => {
    await using at = await dashboard()
    const page = await at.open()
    await rm(join(at.dataDir, 'operator.key'))
    await at.restart()
    expect(await isLetIn(at, page)).toBe(false)
    const authorization = `Bearer ${(await readFile(join(at.dataDir, 'operator.key'), 'utf8')).trim()}`
    expect((await at.rpc('cacp/ui/sessions', {}, { authorization })).sessions).toEqual([])
  })

  test('stays ended after a restart', async () => {
    await using at = await dashboard()
    const page = await at.open()
    await at.rpc('cacp/ui/revoke', { all: true })
    await at.restart()
    expect(await isLetIn(at, page)).toBe(false)
  })

  test('takes its streams along when it ends', async () => {
    await using at = await dashboard()
    const page = await at.open()
    const { authorization: _, ...headers } = page.getting
    await using events = await followEvents(at.url, headers)
    expect((await events.next()).type).toBe('dev.cacp.snapshot')
    await at.rpc('cacp/ui/revoke', { all: true })
    await at.rpc('cacp/project/create', { name: 'secret', objective: 'o', repos: [{ name: 'backend-api' }] })
    expect(JSON.stringify(await events.rest())).not.toContain('secret')
  })

  test('of more than a hundred the one that was not used for longest ends', async () => {
    await using at = await dashboard({ ratePairing: 1_000_000 })
    const first = await at.open()
    for (let n = 0; n < 100; n++) await at.open()
    expect((await at.rpc('cacp/ui/sessions')).sessions).toHaveLength(100)
    expect(await isLetIn(at, first)).toBe(false)
  })

  test('is found by the data calls too: JSON-RPC, the stream and files', async () => {
    await using at = await dashboard()
    const page = await at.open()
    expect(await page.rpc('cacp/inbox/list')).toMatchObject({ items: [] })
    const { savedTo } = (
      await at.fetch('/files', {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: 'x',
      })
    ).json
    const file = await at.fetch(savedTo, { headers: page.getting })
    expect([file.status, file.text, file.headers['content-disposition']]).toEqual([200, 'x', 'attachment'])
    expect((await at.fetch('/health', { headers: page.getting })).json.version).toBeDefined()
  })
})
