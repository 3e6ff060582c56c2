import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export type SignedIn = NonNullable<BrowserContextOptions['storageState']>

/** A daemon that is asked as its operator. */
interface Daemon {
  fetch(path: string, options: { method: 'POST' }): Promise<{ json: { url: string } }>
}

/** Opens the dashboard as `cacpd ui` does: by a link that works once. */
export async function signIn(page: Page, at: Daemon): Promise<void> {
  const { json } = await at.fetch('/ui/login-codes', { method: 'POST' })
  await page.goto(json.url)
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
}

/** What a browser keeps of a session, for contexts that go on with it. */
export async function signedInTo(browser: Browser, at: Daemon): Promise<SignedIn> {
  const context = await browser.newContext()
  await signIn(await context.newPage(), at)
  const state = await context.storageState()
  await context.close()
  return state
}
