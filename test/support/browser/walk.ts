import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Once a screen shows what it asked for. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.locator('.loading').count()).toBe(0)
}

/** In the page: as if one of its own links had been followed; answers when the next screen stands there. */
const FOLLOW = (path: string) => `
  history.pushState(null, '', ${JSON.stringify(`/ui/${path}`)})
  dispatchEvent(new PopStateEvent('popstate'))
  new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`

/** Goes to a screen without loading the program of the page again. */
export async function walkTo(page: Page, path: string): Promise<void> {
  await page.evaluate(FOLLOW(path))
  await settled(page)
}
