import type { Page } from 'playwright-core'
import { request } from 'undici'
import { expect } from 'vitest'
import { createProject } from '../../cluster/pairs.ts'
import { browserTest } from '../../support/browser/browser-test.ts'
import { disposedAfter } from '../../support/browser/closed-after.ts'
import { openLine } from '../../support/browser/line.ts'
import { signIn } from '../../support/browser/sign-in.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { startProcess } from '../../support/daemons/process.ts'
import { rpcTo } from '../../support/daemons/rpc-to.ts'
import { folderWith } from '../../support/folders/folder.ts'

const story = browserTest
  .extend(
    'backend',
    { scope: 'file' },
    disposedAfter(() => daemon()),
  )
  .extend('projectId', { scope: 'file' }, ({ backend }) => createProject(backend))

/** What a browser writes into its console when nobody answers. */
const CUT = /net::ERR_/

const propose = async (at: Pick<TestDaemon, 'rpc'>, projectId: string, name: string): Promise<string> => {
  const contract = { projectId, type: 'api_endpoint', name, content: { path: '/x' } }
  return (await at.rpc('cacp/contract/propose', contract)).contractId
}
const pill = (page: Page) => page.getByRole('status', { name: /^Connection: / })
const isLive = (page: Page) => page.getByRole('status', { name: 'Connection: live' }).waitFor()
/** Far sooner than after the pause that follows many failures. */
const liveSoon = (page: Page) =>
  page.getByRole('status', { name: 'Connection: live' }).waitFor({ timeout: 3000 })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: `«${name}»` })

/** Lets the clock of the page run ahead until something is so. */
const soonAfter = (page: Page, seen: () => Promise<boolean>) =>
  expect
    .poll(async () => {
      await page.clock.runFor(2000)
      return await seen()
    })
    .toBe(true)

story(
  'a daemon that is killed is told in words, and the page goes on by itself',
  async ({ page, expected }) => {
    await using place = await folderWith()
    const start = (port: string) =>
      startProcess(place.at('.cacp'), ['--repo', 'backend-api', '--port', port, '--log-level', 'silent'])
    let running = await start('0')
    const { url, key } = running
    try {
      const rpc = (method: string, params: object) => rpcTo({ url, key }, method, params)
      const headers = { authorization: `Bearer ${key}` }
      const code = await request(`${url}/ui/login-codes`, { method: 'POST', headers })
      const { url: link } = (await code.body.json()) as { url: string }
      const { projectId } = await rpc('cacp/project/create', {
        name: 'Auth',
        objective: 'log in',
        repos: [{ name: 'backend-api' }],
      })
      const asked = await rpc('cacp/context/askQuestion', { projectId, question: 'Which port?' })
      await page.clock.install()
      await page.goto(link)
      await isLive(page)
      await page.goto(`${url}/ui/t/${projectId}/${asked.packetId}`)
      await page.getByLabel('Your reply').fill('Port 8080')

      expected.push(CUT)
      await running.stop('SIGKILL')
      await page.getByText(/^reconnecting in \d+ s, shown as of \d\d:\d\d:\d\d$/).waitFor()
      expect(await page.locator('main').getAttribute('class'), 'marked as old').toBe('old')
      await page.getByText('Which port?').first().waitFor()
      await page.getByRole('button', { name: 'Reply', exact: true }).click()
      const alert = page.getByRole('alert').getByText('The daemon does not answer')
      await alert.waitFor()
      await page.getByLabel('Your reply').fill('Port')
      await alert.waitFor({ state: 'hidden' })
      await page.getByLabel('Your reply').fill('Port 8080')
      await page.getByRole('button', { name: 'Reply', exact: true }).click()
      await alert.waitFor()
      await soonAfter(page, () => page.getByText(/^the daemon does not answer: cacpd up -d/).isVisible())

      running = await start(new URL(url).port)
      await soonAfter(page, async () => (await pill(page).innerText()) === 'live')
      expect(await page.locator('main').getAttribute('class')).toBeNull()
      await alert.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Reply', exact: true }).click()
      await page.getByText(/^Replied/).waitFor()
      const { thread } = await rpc('cacp/context/getThread', { projectId, packetId: asked.packetId })
      expect(thread).toMatchObject([{ type: 'question' }, { content: { answer: 'Port 8080' } }])
    } finally {
      await running.stop('SIGKILL')
    }
  },
)

story('a call that is answered brings the stream back at once', async ({ page, backend, expected }) => {
  await signIn(page, backend)
  expected.push(CUT)
  await page.clock.install()
  await page.route('**/events?*', (route) => route.abort())
  await page.goto(`${backend.url}/ui/timeline`)
  await soonAfter(page, () => page.getByText(/^the daemon does not answer/).isVisible())
  await page.unroute('**/events?*')
  await page.getByRole('link', { name: 'Contracts' }).click()
  await liveSoon(page)
})

story(
  'a call that is answered in one tab brings the stream of all tabs back',
  async ({ page, backend, expected }) => {
    await signIn(page, backend)
    expected.push(CUT)
    await page.clock.install()
    await page.context().route('**/events?*', (route) => route.abort())
    await page.goto(`${backend.url}/ui/timeline`)
    const other = await page.context().newPage()
    await other.goto(`${backend.url}/ui/timeline`)
    await soonAfter(page, () => other.getByText(/^the daemon does not answer/).isVisible())
    await page.context().unroute('**/events?*')
    await other.getByRole('link', { name: 'Contracts' }).click()
    await Promise.all([liveSoon(page), liveSoon(other)])
  },
)

story('a computer that slept goes on where it was', async ({ page, backend, projectId, expected }) => {
  await using line = await openLine(backend.url)
  const { json } = await backend.fetch('/ui/login-codes', { method: 'POST' })
  await propose(backend, projectId, 'Before Sleep')
  await page.clock.install()
  await page.goto(`${line.url}/ui/#c=${json.code}`)
  await isLive(page)
  await page.goto(`${line.url}/ui/contracts`)
  await row(page, 'Before Sleep').waitFor()
  await isLive(page)

  expected.push(CUT)
  // The network is gone, and no timer runs.
  line.silence()
  await page.clock.pauseAt(Date.now() + 60_000)
  await propose(backend, projectId, 'While Asleep')
  await page.clock.fastForward('02:00:00')
  await page.clock.resume()
  await isLive(page)
  await page.getByRole('button', { name: '1 new' }).click()
  await row(page, 'While Asleep').waitFor()
})

story(
  'seven tabs read one stream, and go on when the tab that reads it is closed',
  async ({ page, backend, projectId }) => {
    const open = new Set<unknown>()
    const context = page.context()
    context.on('request', (asked) => asked.url().includes('/events?') && open.add(asked))
    context.on('requestfinished', (asked) => open.delete(asked))
    context.on('requestfailed', (asked) => open.delete(asked))
    await propose(backend, projectId, 'In Each Tab')
    await signIn(page, backend)
    await page.goto(`${backend.url}/ui/contracts`)
    const tabs = [page]
    while (tabs.length < 7) {
      const tab = await context.newPage()
      await tab.goto(`${backend.url}/ui/contracts`)
      tabs.push(tab)
    }
    await Promise.all(tabs.map(isLive))
    await Promise.all(tabs.map((tab) => row(tab, 'In Each Tab').waitFor()))
    expect(open.size).toBe(1)
    await propose(backend, projectId, 'Told To All')
    await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: '1 new' }).waitFor()))

    const [reading, ...others] = tabs
    await reading?.close()
    await expect.poll(() => open.size).toBe(1)
    await propose(backend, projectId, 'Told To Six')
    await Promise.all(others.map((tab) => tab.getByRole('button', { name: '2 new' }).waitFor()))
  },
)

story(
  'an answer is to the version that was read, also where nothing told of a newer one',
  async ({ page, backend, projectId, expected }) => {
    const contractId = await propose(backend, projectId, 'Changed Unheard')
    await signIn(page, backend)
    // The line to the stream is dead; all else works.
    expected.push(CUT)
    await page.route('**/events?*', (route) => route.abort())
    await page.goto(`${backend.url}/ui/c/${projectId}/${contractId}?act=agree`)
    await page.getByRole('button', { name: 'Agree: version 1' }).waitFor()
    await backend.rpc('cacp/contract/update', { projectId, contractId, content: { path: '/y' } })
    await page.getByRole('button', { name: 'Agree: version 1' }).click()
    await page.getByText('Version 2 arrived while you were reading version 1').waitFor()
    expect((await backend.rpc('cacp/contract/get', { projectId, contractId })).responses).toEqual([])
  },
)
