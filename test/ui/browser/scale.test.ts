import { expect } from 'vitest'
import { browserTest } from '../../support/browser/browser-test.ts'
import { disposedAfter } from '../../support/browser/closed-after.ts'
import { look, SCREENS } from '../../support/browser/scale/look.ts'
import { furnish, OWN_REPO } from '../../support/browser/scale/world.ts'
import { signedInTo } from '../../support/browser/sign-in.ts'
import { daemon } from '../../support/daemons/daemon.ts'

const MOST_ROWS = 200

/** More of everything than may be in a page at once; how fast that is, `npm run bench -- ui` measures. */
const MANY = {
  repos: 240,
  agents: 16,
  contractsEach: 25,
  packets: 400,
  versions: 210,
  characters: 100_000,
  peers: 210,
  runs: 210,
}

async function openLargeWorld() {
  const at = await daemon({ repo: OWN_REPO, agentId: 'aid://example.com/frontend@1.0.0' })
  const world = await furnish({ port: Number(new URL(at.url).port), key: at.key }, MANY)
  return { at, world, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
}

const story = browserTest
  .extend('large', { scope: 'file' }, disposedAfter(openLargeWorld))
  .extend('session', { scope: 'file' }, ({ browser, large }) => signedInTo(browser, large.at))

story.for(SCREENS)(
  '$name has at most 200 rows in the page, however much there is to show',
  async ({ path, shows }, { browser, large: { at, world }, session }) => {
    const url = `${at.url}/ui/${path(world)}`
    const { rows } = await look(browser, { options: { storageState: session }, url, shows })
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThanOrEqual(MOST_ROWS)
  },
)

story(
  'a long conversation shows how it began and what was said last, and more in between on demand',
  async ({ openContext, large: { at, world }, session }) => {
    const page = await (await openContext({ storageState: session })).newPage()
    await page.goto(`${at.url}/ui/t/${world.projectId}/${world.question}`)
    const packets = page.locator('.conversation .thread > li')
    await page.getByRole('button', { name: `Show 50 of the ${MANY.packets - 51} in between` }).waitFor()
    expect(await packets.count()).toBe(51)
    await packets.first().getByText('How is a profile found?').waitFor()
    await page.getByRole('button', { name: /in between$/ }).click()
    await page.getByRole('button', { name: `Show 50 of the ${MANY.packets - 101} in between` }).waitFor()
    expect(await packets.count()).toBe(101)
  },
)
