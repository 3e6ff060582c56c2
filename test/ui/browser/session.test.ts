import { expect } from 'vitest'
import { createProject } from '../../cluster/pairs.ts'
import { browserTest } from '../../support/browser/browser-test.ts'
import { disposedAfter } from '../../support/browser/closed-after.ts'
import { openListener } from '../../support/browser/listener.ts'
import { signIn } from '../../support/browser/sign-in.ts'
import { daemon } from '../../support/daemons/daemon.ts'

const story = browserTest.extend(
  'backend',
  { scope: 'file' },
  disposedAfter(() => daemon()),
)
const REFUSED = /status of 40[13]/

story(
  'a link signs in once, and nothing of it stays in the address',
  async ({ page, openContext, backend, expected }) => {
    const { json } = await backend.fetch('/ui/login-codes', { method: 'POST' })
    await page.goto(json.url)
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(`${backend.url}/ui/`)
    expect(await page.evaluate('document.cookie')).toBe('')

    expected.push(REFUSED)
    const thief = await (await openContext()).newPage()
    await thief.goto(json.url)
    await thief.getByText('This link has expired, or was used already.').waitFor()
    await thief.getByText('cacpd ui', { exact: true }).waitFor()
  },
)

story(
  'a session lasts in new tabs and after a restart of the daemon',
  async ({ page, backend, expected }) => {
    await signIn(page, backend)
    expected.push(/ERR_CONNECTION_REFUSED/)
    await backend.restart()
    const other = await page.context().newPage()
    await other.goto(`${backend.url}/ui/peers`)
    await other.getByRole('heading', { level: 1, name: 'Peers' }).waitFor()
  },
)

story('a page that is opened asks once for what its stream tells', async ({ page }) => {
  await using backend = await daemon()
  await signIn(page, backend)
  // The page before asks for things of its own until it is left.
  await page.goto('about:blank')
  const asked: unknown[] = []
  page.on('request', (request) => asked.push(request.postDataJSON()?.method))
  await page.clock.install()
  await page.goto(`${backend.url}/ui/contracts`)
  await page.getByRole('status', { name: 'Connection: live' }).waitFor()
  // Longer than what changed is gathered.
  await page.clock.runFor(2000)
  expect(asked.filter((method) => method === 'cacp/contract/list')).toHaveLength(1)
  const again = page.waitForRequest((request) => request.postDataJSON()?.method === 'cacp/contract/list')
  const projectId = await createProject(backend, { name: 'New' })
  const contract = { projectId, type: 'custom', name: 'Me', content: {} }
  await backend.rpc('cacp/contract/propose', contract)
  await page.clock.resume()
  await again
})

story('who logs out is out, also after a reload', async ({ page, backend, expected }) => {
  await signIn(page, backend)
  await page.getByRole('button', { name: 'Preferences' }).click()
  expected.push(REFUSED)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByText('The session has ended.').waitFor()
  expect(await page.context().cookies()).toEqual([])
  await page.reload()
  await page.getByText('This browser has no session with this daemon.').waitFor()
})

story(
  'a page whose session the operator ends says so, and goes on with the next one',
  async ({ page, backend, expected }) => {
    await signIn(page, backend)
    expected.push(REFUSED)
    await backend.rpc('cacp/ui/revoke', { all: true })
    await page.getByText('The session has ended.').waitFor()
    await page.getByText('session ended: run cacpd ui').waitFor()

    await signIn(await page.context().newPage(), backend)
    await page.getByText('The session has ended.').waitFor({ state: 'hidden' })
    await page.getByRole('status', { name: 'Connection: live' }).waitFor()
  },
)

story(
  'another server on this machine gets the cookie, and can do nothing with it',
  async ({ page, backend, expected }) => {
    await using other = await openListener()
    await signIn(page, backend)
    const projectId = await createProject(backend, { name: 'Untouched' })
    await page.goto(other.url)
    const cookie = other.requests[0]?.headers.cookie ?? ''
    expect(cookie).toContain(`cacpd_ui_${new URL(backend.url).port}`)

    const archive = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'cacp/project/archive',
      params: { projectId },
    })
    for (const headers of [
      {},
      { origin: backend.url },
      { origin: other.url },
      { origin: backend.url, 'x-cacpd-ui': 'x' },
    ]) {
      const sent = { authorization: '', 'content-type': 'application/json', cookie, ...headers }
      const { status } = await backend.fetch('/', { method: 'POST', headers: sent, body: archive })
      expect([401, 403]).toContain(status)
    }
    expected.push(/./)
    await page.evaluate(
      `fetch('${backend.url}/', { method: 'POST', mode: 'no-cors', credentials: 'include', body: ${JSON.stringify(archive)} }).catch(() => {})`,
    )
    await page.evaluate(
      `fetch('${backend.url}/', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(archive)} }).catch(() => {})`,
    )
    expect(await backend.rpc('cacp/project/list')).toMatchObject({ projects: [{ name: 'Untouched' }] })
  },
)

story('two daemons in one browser keep their sessions apart', async ({ page, backend, expected }) => {
  await using other = await daemon({ repo: 'web-app', agentId: 'aid://example.com/web@1.0.0' })
  await signIn(page, backend)
  const second = await page.context().newPage()
  await signIn(second, other)
  for (const [tab, repo] of [
    [page, 'backend-api'],
    [second, 'web-app'],
  ] as const) {
    await tab.reload()
    await tab.getByRole('banner').getByRole('link', { name: repo }).waitFor()
  }
  expected.push(REFUSED)
  const half = String(
    await second.evaluate(
      'localStorage.getItem(Object.keys(localStorage).find((key) => key.startsWith("cacpd /")))',
    ),
  )
  expect(half.length).toBeGreaterThan(20)
  // As if the second daemon called the first one, with the cookie that browsers give it.
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = {
    authorization: '',
    cookie,
    'x-cacpd-ui': half,
    origin: backend.url,
    'content-type': 'application/json',
  }
  const call = {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cacp/project/list', params: {} }),
  } as const
  expect((await backend.fetch('/', call)).status).toBe(401)
  expect((await other.fetch('/', { ...call, headers: { ...headers, origin: other.url } })).status).toBe(200)
  // Before its daemon ends, of which it would complain.
  await second.close()
})
