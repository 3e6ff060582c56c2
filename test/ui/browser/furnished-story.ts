import { browserTest } from '../../support/browser/browser-test.ts'
import { disposedAfter } from '../../support/browser/closed-after.ts'
import { signedInTo } from '../../support/browser/sign-in.ts'
import { openFurnished } from './furnished.ts'

/** A person at a dashboard that has something to show on every screen. All files share its daemons: no test may end them. */
export const story = browserTest
  .extend('furnished', { scope: 'worker' }, disposedAfter(openFurnished))
  .extend('session', { scope: 'worker' }, ({ browser, furnished }) => signedInTo(browser, furnished.backend))
  .extend('person', async ({ openContext, furnished, session }) => {
    const context = await openContext({ storageState: session, baseURL: furnished.base })
    return await context.newPage()
  })
