import { browserTest } from '../../support/browser/browser-test.ts'
import { disposedAfter } from '../../support/browser/closed-after.ts'
import { signedInTo } from '../../support/browser/sign-in.ts'
import { openTwoRepos } from '../../support/browser/two-repos.ts'

/** A person at the dashboard of the backend, whose project the frontend has joined. The tests of a file share both daemons. */
export const story = browserTest
  .extend('repos', { scope: 'file' }, disposedAfter(openTwoRepos))
  .extend('session', { scope: 'file' }, ({ browser, repos }) => signedInTo(browser, repos.backend))
  .extend('person', async ({ openContext, repos, session }) => {
    const context = await openContext({ storageState: session, baseURL: `${repos.backend.url}/ui/` })
    return await context.newPage()
  })
