import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { KINDS } from '../../../../src/domain/statements/kinds.ts'
import { browserTest } from '../../../support/browser/browser-test.ts'
import { disposedAfter } from '../../../support/browser/closed-after.ts'
import { signedInTo } from '../../../support/browser/sign-in.ts'
import { walkTo } from '../../../support/browser/walk.ts'
import { openHostileWorld } from './hostile-world.ts'
import { strangersIn } from './page-check.ts'
import { HOSTILE } from './texts.ts'

const story = browserTest
  .extend(
    'world',
    { scope: 'file' },
    disposedAfter(() => openHostileWorld(new Map(HOSTILE))),
  )
  .extend('session', { scope: 'file' }, ({ browser, world }) => signedInTo(browser, world.backend))
  .extend('person', async ({ openContext, world, session }) => {
    const context = await openContext({ storageState: session, baseURL: `${world.backend.url}/ui/` })
    const page = await context.newPage()
    await page.goto('')
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  })

/** However much somebody writes, no page becomes slow by it. */
const MOST_ELEMENTS = 10_000

/** What does not belong into a page, with all unfolded that can be unfolded. */
async function lookAt(person: Page, path: string): Promise<string[]> {
  await walkTo(person, path)
  await person.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
  const found = await strangersIn(person)
  const elements = Number(await person.evaluate('document.querySelectorAll("*").length'))
  if (elements > MOST_ELEMENTS) found.push(`${elements} elements`)
  return found.map((one) => `${path}: ${one}`)
}

story('every text was said in every kind of statement', ({ world }) => {
  expect(world.refused).toEqual([])
  expect([...world.kinds].sort()).toEqual([...KINDS.keys()].sort())
})

story('every text stays a text in a contract and in a thread', async ({ person, world }) => {
  const found: string[] = []
  for (const [name, { projectId, contractId, questionId }] of world.projects)
    for (const path of [`c/${projectId}/${contractId}?v=1..2`, `t/${projectId}/${questionId}`])
      found.push(...(await lookAt(person, path)).map((one) => `${name}: ${one}`))
  expect(found).toEqual([])
})

story('all of them stay texts on every screen', async ({ person, world }) => {
  const status = async () => (await world.backend.rpc('cacp/run/get', { runId: world.runId })).run.status
  await expect.poll(status, { timeout: 20_000 }).toBe('failed')
  const found: string[] = []
  for (const path of [
    '',
    'contracts',
    'contracts?view=board',
    'map',
    'timeline',
    'peers?log=all',
    'runs',
    `runs/${world.runId}`,
  ])
    found.push(...(await lookAt(person, path)))
  expect(found).toEqual([])
})

story('all of them stay texts among what a search finds', async ({ person }) => {
  const found: string[] = []
  const bar = person.getByRole('combobox', { name: 'Search or go to' })
  await walkTo(person, '')
  for (const word of ['script', 'taken', 'admin']) {
    await person.keyboard.press('Control+k')
    await bar.fill(word)
    await person.getByRole('listbox').getByRole('option').first().waitFor()
    found.push(...(await strangersIn(person)))
    await person.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
  }
  expect(found).toEqual([])
})

story('names of agents stay texts where a person says who holds a repository', async ({ person, world }) => {
  const { person: tasks } = await world.backend.rpc('cacp/person/todo', { limit: 0 })
  const contested = tasks.filter(({ kind }: { kind: string }) => kind === 'settle_claims')
  expect(contested.length).toBe(world.projects.size)
  const found: string[] = []
  for (const { id } of contested.slice(0, 3)) {
    found.push(...(await lookAt(person, `?item=${encodeURIComponent(id)}`)))
    await person.getByRole('button', { name: 'Settle who holds backend-api' }).click()
    await person.getByRole('dialog').getByRole('radio').nth(2).waitFor()
    found.push(...(await strangersIn(person)))
    await person.keyboard.press('Escape')
  }
  expect(found).toEqual([])
})
