import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { TestDaemon } from '../daemons/daemon.ts'

export type SignedIn = NonNullable<BrowserContextOptions['storageState']>

/** Opens the dashboard as `cacpd ui` does: by a link that works once. */
export async function signIn(page: Page, at: Pick<TestDaemon, 'fetch'>): Promise<void> {
  const { json } = await at.fetch('/ui/login-codes', { method: 'POST' })
  await page.goto(json.url)
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
}

/** What a browser keeps of a session, for contexts that go on with it. */
export async function signedInTo(browser: Browser, at: Pick<TestDaemon, 'fetch'>): Promise<SignedIn> {
  const context = await browser.newContext()
  await signIn(await context.newPage(), at)
  const state = await context.storageState()
  await context.close()
  return state
}
