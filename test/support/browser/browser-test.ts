import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, type TestContext, test } from 'vitest'
import { closedAfter } from './closed-after.ts'
import { watchFor } from './complaints.ts'
import { launch } from './launch.ts'

/** Where a test that failed leaves what its pages looked like; git ignores it. */
const RESULTS = new URL('../../../test-results/', import.meta.url).pathname

/** How long a page may take; less than a test may, so that what it waited for is told. */
const PATIENCE = 20_000

export type OpenContext = (options?: BrowserContextOptions) => Promise<BrowserContext>

/** A test with pages: none may complain, load anything from elsewhere or open a dialog, unless the test says which. */
export const browserTest = test
  .extend(
    'browser',
    // One browser for all files: they run one after the other, in the same worker.
    { scope: 'worker' },
    closedAfter(
      () => launch(),
      (browser) => browser.close(),
    ),
  )
  .extend('expected', (): RegExp[] => [])
  .extend('openContext', async ({ browser, expected, task }, { onCleanup }): Promise<OpenContext> => {
    const contexts: BrowserContext[] = []
    const complaints: string[] = []
    onCleanup(async () => {
      const unexpected = complaints.filter((told) => !expected.some((pattern) => pattern.test(told)))
      if (task.result?.state === 'fail' || unexpected.length > 0) await keep(contexts, task)
      await Promise.all(contexts.map((context) => context.close()))
      expect(unexpected, 'what pages complained of').toEqual([])
    })
    return async (options = {}) => {
      const context = await browser.newContext({
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        ...options,
      })
      // Without pictures of every step, which would take longer than the steps of most tests.
      await context.tracing.start({})
      context.setDefaultTimeout(PATIENCE)
      watchFor(complaints, context)
      contexts.push(context)
      return context
    }
  })
  .extend('page', async ({ openContext }): Promise<Page> => {
    const context = await openContext()
    return await context.newPage()
  })

/** Every page as it is now, and what happened on it: `npx playwright-core show-trace FILE`. */
async function keep(
  contexts: readonly BrowserContext[],
  { fullTestName, id }: TestContext['task'],
): Promise<void> {
  const folder = join(RESULTS, `${fullTestName.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}-${id}`)
  await mkdir(folder, { recursive: true })
  for (const [at, context] of contexts.entries()) {
    for (const [number, page] of context.pages().entries()) {
      await page.screenshot({ path: join(folder, `${at}-${number}.png`) }).catch(() => undefined)
      await writeFile(join(folder, `${at}-${number}.html`), await page.content().catch(String))
    }
    await context.tracing.stop({ path: join(folder, `${at}.zip`) })
  }
}
