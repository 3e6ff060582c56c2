import { expect } from 'vitest'
import { createProject } from '../../cluster/pairs.ts'
import { browserTest } from '../../support/browser/browser-test.ts'
import { disposedAfter } from '../../support/browser/closed-after.ts'
import { signIn } from '../../support/browser/sign-in.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { reverseProxy } from '../../support/network/reverse-proxy.ts'

const story = browserTest.extend(
  'backend',
  { scope: 'file' },
  disposedAfter(() => daemon()),
)

let strangers = 0
/** A daemon that knows only the address asks to be let in: that waits for a person. */
const askToBeLetIn = (at: TestDaemon) =>
  at.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: '' },
    body: JSON.stringify({
      agentId: `aid://example.com/stranger-${++strangers}@1.0.0`,
      endpoint: 'http://127.0.0.1:9',
      repoName: 'click-here',
    }),
  })

story(
  'the page leads to the other daemons of this machine, each with a session of its own',
  async ({ page, expected }) => {
    await using state = await folderWith()
    await using backend = await daemon({ stateDir: state.path })
    await using web = await daemon({
      repo: 'web-app',
      agentId: 'aid://example.com/web@1.0.0',
      stateDir: state.path,
    })
    await signIn(page, backend)
    await page.getByRole('button', { name: 'Other daemons of this machine' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`This is backend-api, at ${backend.url}`).waitFor()
    expected.push(/status of 401/)
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('link', { name: 'web-app' }).click()
    const other = await opened
    await other.getByText('This browser has no session with this daemon.').waitFor()
    expect(other.url()).toBe(`${web.url}/ui/`)
    await signIn(other, web)
    await other.getByRole('banner').getByRole('link', { name: 'web-app' }).waitFor()
    await page.reload()
    await page.getByRole('banner').getByRole('link', { name: 'backend-api' }).waitFor()
    for (const tab of [page, other]) await tab.close()
  },
)

story('what waits for a person is counted in the title and shown by the icon', async ({ page, backend }) => {
  await signIn(page, backend)
  await expect.poll(() => page.title()).toBe('Inbox · backend-api · cacpd')
  const icon = page.locator('link[rel=icon]')
  expect(await icon.getAttribute('href')).toMatch(/\/icon\.svg$/)
  await askToBeLetIn(backend)
  await expect.poll(() => page.title()).toBe('(1) Inbox · backend-api · cacpd')
  expect(await icon.getAttribute('href')).toMatch(/\/icon-waiting\.svg$/)
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: /Inbox.*1/ })
    .waitFor()
})

/**
 * In the page: keeps what the browser is asked to tell, and says that nobody looks at the tab. A Chromium without windows lets
 * the page notify when it is asked, but tells it later that it must not.
 */
const NOTICES = `
  globalThis.told = []
  globalThis.Notification = class extends Notification {
    static get permission() {
      return 'granted'
    }
    constructor(title, options) {
      super(title, options)
      told.push({ title, body: options.body, notice: this })
    }
  }
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })`

story(
  'who wants it is told of what only a person can do, in our own words',
  async ({ openContext, backend }) => {
    const context = await openContext({ permissions: ['notifications'] })
    const page = await context.newPage()
    await signIn(page, backend)
    await page.getByRole('button', { name: 'Preferences' }).click()
    await page.getByRole('checkbox', { name: /^Tell me what only a person can do/ }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('status', { name: 'Connection: live' }).waitFor()
    await page.evaluate(NOTICES)
    await askToBeLetIn(backend)
    await expect
      .poll(() => page.evaluate('told.map(({ title, body }) => [title, body])'))
      .toEqual([['cacpd · backend-api', 'Another daemon asks to be let in.']])
    await page.goto(`${backend.url}/ui/map`)
    await page.evaluate(NOTICES)
    await page.getByRole('status', { name: 'Connection: live' }).waitFor()
    await askToBeLetIn(backend)
    await expect.poll(() => page.evaluate('told.length')).toBe(1)
    await page.evaluate('told[0].notice.onclick()')
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
  },
)

story('a browser that does not let the page notify is said to be so', async ({ page, backend }) => {
  await signIn(page, backend)
  await page.getByRole('button', { name: 'Preferences' }).click()
  const choice = page.getByRole('checkbox', { name: /^Tell me what only a person can do/ })
  await choice.click()
  await page.getByRole('alert').getByText('This browser does not let the page notify').waitFor()
  expect(await choice.isChecked()).toBe(false)
})

story.for([
  ['takes the path away', { isStripping: true, keepsHost: true }],
  ['hands the path on', { isStripping: false, keepsHost: false }],
] as const)('all of it works below a path of a proxy that %s', async ([, options], { openContext }) => {
  const path = '/team/backend-api'
  await using proxy = await reverseProxy({ ...options, path })
  await using backend = await daemon({ publicUrl: proxy.endpoint, ui: { remote: true, basePath: path } })
  proxy.daemon.url = backend.url
  const page = await (await openContext({ ignoreHTTPSErrors: true })).newPage()
  const { json } = await backend.fetch('/ui/login-codes', { method: 'POST' })
  await page.goto(json.remoteUrl)
  await page.getByRole('status', { name: 'Connection: live' }).waitFor()
  await page.getByRole('link', { name: 'Contracts' }).first().click()
  const projectId = await createProject(backend)
  const contract = { projectId, type: 'api_endpoint', name: 'Behind It', content: { path: '/x' } }
  await backend.rpc('cacp/contract/propose', contract)
  await page.getByRole('link', { name: '«Behind It»' }).click()
  await page.getByRole('heading', { level: 1, name: '«Behind It»' }).waitFor()
  expect(page.url().startsWith(`${proxy.endpoint}${path}/ui/c/`)).toBe(true)

  await page.reload()
  await page.getByRole('button', { name: 'Ask a question' }).click()
  const form = page.getByRole('form', { name: 'Ask a question' })
  await form.getByRole('textbox').first().fill('Does it work?')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(async () => (await backend.rpc('cacp/context/list', { projectId })).packets)
    .toMatchObject([{ content: { question: 'Does it work?' }, by: { by_person: true } }])
  await page.close()
})
