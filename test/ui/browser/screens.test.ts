import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { createProject } from '../../cluster/pairs.ts'
import { settled, walkTo } from '../../support/browser/walk.ts'
import { story } from './furnished-story.ts'

const wordsOf = async (place: Locator): Promise<string> => (await place.innerText()).replaceAll(/\s+/g, ' ')

story('a person answers a question in the inbox', async ({ person, furnished }) => {
  const { backend, frontend, projectId } = furnished
  const asked = await frontend.rpc('cacp/context/askQuestion', {
    projectId,
    question: 'How long does a session last?',
  })
  await person.goto('')
  await person.getByRole('link', { name: /Question «.*How long does a session last\?»/ }).click()
  const chosen = person.getByRole('region', { name: 'What is chosen' })
  await chosen.getByText('the agent of «frontend-app»').first().waitFor()
  await chosen.getByLabel('Your reply').fill('Twelve hours')
  await chosen.getByRole('button', { name: 'Reply', exact: true }).click()

  await chosen.getByText(/Replied/).waitFor()
  await chosen.getByText(/«frontend-app» has it since/).waitFor()
  await chosen.getByText('It is not in the list any more').waitFor()
  const { packetId } = asked
  const thread = await frontend.rpc('cacp/context/getThread', { projectId, packetId })
  expect(thread.thread[1]).toMatchObject({ content: { answer: 'Twelve hours' }, by: { by_person: true } })
  const { items } = await backend.rpc('cacp/inbox/list')
  expect(items.map(({ about }: { about: { id: string } }) => about.id)).not.toContain(packetId)
})

story('an option of a question is chosen as the reply', async ({ person, furnished }) => {
  const { frontend, projectId } = furnished
  const { packetId } = await frontend.rpc('cacp/context/askQuestion', {
    projectId,
    question: 'How long may a link be opened?',
    options: ['Twelve hours', 'A day'],
  })
  await person.goto('')
  await person.getByRole('link', { name: /How long may a link be opened\?/ }).click()
  const chosen = person.getByRole('region', { name: 'What is chosen' })
  await chosen.getByRole('radio', { name: 'A day' }).check()
  await chosen.getByRole('button', { name: 'Reply', exact: true }).click()

  await chosen.getByText(/Replied/).waitFor()
  await expect
    .poll(async () => (await frontend.rpc('cacp/context/getThread', { projectId, packetId })).thread[1])
    .toMatchObject({ content: { answer: 'A day' }, by: { by_person: true } })
})

story('what a person hides is hidden from people alone, and comes back', async ({ person, furnished }) => {
  const { backend, frontend, projectId } = furnished
  await frontend.rpc('cacp/context/askQuestion', { projectId, question: 'Which port?' })
  await person.goto('')
  const row = person.getByRole('link', { name: /Which port\?/ })
  await row.click()
  await person.getByRole('button', { name: 'Hide until it changes' }).click()
  await row.waitFor({ state: 'hidden' })
  const names = async () =>
    (await backend.rpc('cacp/inbox/list')).items.map(({ about }: { about: { name: string } }) => about.name)
  expect(await names()).toContainEqual(expect.stringContaining('Which port?'))
  await person.getByRole('button', { name: 'Show it again' }).click()
  await row.waitFor()
})

story('contracts are filtered, counted and shown on a board', async ({ person, furnished }) => {
  const { backend, projectId } = furnished
  const { counts } = await backend.rpc('cacp/contract/list', { projectId, details: true })
  await person.goto('contracts')
  await settled(person)
  const statuses = person.getByRole('group', { name: 'Status' })
  expect(await wordsOf(statuses)).toContain(`implemented ${counts.implemented}`)
  await statuses.getByRole('button', { name: /implemented/ }).click()
  const rows = person.getByRole('table').getByRole('row')
  await expect.poll(() => rows.count()).toBe(1 + counts.implemented)
  expect(await wordsOf(rows.last())).toMatch(/^«Log In» .* implemented/)
  expect(new URL(person.url()).search).toBe('?status=implemented')

  await statuses.getByRole('button', { name: /^All/ }).click()
  await person.getByRole('searchbox', { name: 'Name contains' }).fill('avat')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await wordsOf(rows.last())).toMatch(/«Upload Avatar».*conflict/)
  await person.getByRole('searchbox', { name: 'Name contains' }).fill('avtar')
  await person.getByText('These have similar words:').waitFor()
  await person.getByRole('listitem').getByRole('link', { name: '«Upload Avatar»' }).waitFor()
  await person.getByRole('link', { name: 'Show all contracts' }).click()

  await person.getByRole('button', { name: 'Board' }).click()
  const column = person.getByRole('region', { name: `implemented ${counts.implemented}` })
  const parties = column.getByRole('listitem').filter({ hasText: '«Log In»' }).getByRole('listitem')
  const [first, second] = await Promise.all([parties.first().boundingBox(), parties.nth(1).boundingBox()])
  expect(second?.y, 'the parties stand beside each other').toBe(first?.y)
  await column.getByRole('link', { name: '«Log In»' }).click()
  await person.getByRole('heading', { level: 1, name: '«Log In»' }).waitFor()
  await person.goBack()
  await column.waitFor()
})

story('no state in the table of contracts is cut off', async ({ person, furnished }) => {
  const { backend, frontend, projectId } = furnished
  const contractId = await furnished.propose(backend, 'Seen', { path: '/seen' })
  await frontend.rpc('cacp/contract/get', { projectId, contractId })
  await person.setViewportSize({ width: 1280, height: 800 })
  await person.goto('contracts')
  await person
    .getByRole('row', { name: /^«Seen»/ })
    .getByText('seen by its agent')
    .waitFor()
  const cut =
    '[...document.querySelectorAll("td")].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText)'
  expect(await person.evaluate(cut)).toEqual([])
  await person.setViewportSize({ width: 1000, height: 800 })
  expect(await person.evaluate(cut)).toEqual([])
})

story('rows that are new do not move those that one reads', async ({ person, furnished }) => {
  await person.goto('contracts')
  const rows = person.getByRole('table').getByRole('row')
  await rows.nth(1).waitFor()
  const before = await wordsOf(rows.nth(1).getByRole('rowheader'))
  await furnished.propose(furnished.frontend, 'Arrived Meanwhile', { path: '/new' })
  const news = person.getByRole('button', { name: /^\d+ new$/ })
  await news.waitFor()
  expect(await wordsOf(rows.nth(1).getByRole('rowheader'))).toBe(before)
  await news.click()
  await expect.poll(() => wordsOf(rows.nth(1))).toMatch(/^«Arrived Meanwhile»/)
})

story('the map leads to the contracts of two repositories, and so does its table', async ({ person }) => {
  await person.goto('map')
  await settled(person)
  const about = /«backend-api» and «frontend-app», \d+ contracts: 1 in conflict; .*implemented/
  const pair = person.getByRole('link', { name: about })
  expect(await pair.count(), 'a line and a row').toBe(2)
  const details = person.getByRole('complementary', { name: 'Details' })
  for (const link of [pair.first(), pair.last()]) {
    await link.click()
    await details.getByRole('heading', { name: '«backend-api» and «frontend-app»' }).waitFor()
    await details.getByRole('link', { name: /conflict «Upload Avatar»/ }).waitFor()
    await details.getByRole('link', { name: 'Close the details' }).click()
    await details.waitFor({ state: 'hidden' })
  }
  await person
    .getByRole('table', { name: 'Repositories', exact: true })
    .getByRole('link', { name: '«frontend-app»', exact: true })
    .click()
  await details.getByText('aid://example.com/frontend@1.0.0').waitFor()
})

story('the timeline goes back to where it began, and says what is new', async ({ person, furnished }) => {
  const { backend } = furnished
  const projectId = await createProject(backend, { name: 'Long Story' })
  const tell = (number: number) =>
    backend.rpc('cacp/context/share', {
      projectId,
      type: 'dependency_info',
      content: { message: `Note ${number}` },
    })
  for (let number = 1; number <= 90; number++) await tell(number)
  await person.goto(`timeline?project=${projectId}`)
  const told = person.getByRole('list', { name: 'What happened, the newest first' }).getByRole('listitem')
  await told.filter({ hasText: 'Note 90' }).waitFor()
  expect(await told.filter({ hasText: 'Note 20' }).count()).toBe(0)

  await tell(91)
  await person.getByRole('button', { name: '1 new' }).click()
  await told.filter({ hasText: 'Note 91' }).waitFor()

  const began = person.getByText('This is where it began.')
  await expect
    .poll(async () => {
      await person.keyboard.press('End')
      return (await began.isVisible()) && (await told.filter({ hasText: /Note 1\b/ }).isVisible())
    })
    .toBe(true)
  await walkTo(person, `timeline?project=${projectId}&q=note+20`)
  await told.filter({ hasText: 'Note 20' }).waitFor()
  expect(await told.filter({ hasText: 'Note' }).count()).toBe(1)
})

story('runs and work are listed, opened and sent again', async ({ person, furnished }) => {
  await person.goto('runs')
  await person.getByRole('table').getByRole('link').first().click()
  await person.getByRole('heading', { level: 1, name: /^Run/ }).waitFor()
  await person.getByText('What is agreed?').first().waitFor()

  await walkTo(person, 'runs')
  await person.getByRole('button', { name: 'Sent to others' }).click()
  await person
    .getByRole('row', { name: /«frontend-app»/ })
    .getByRole('link', { name: 'summarize_project' })
    .click()
  await person.getByRole('heading', { level: 1, name: 'Work: summarize_project' }).waitFor()
  const before = (await furnished.backend.rpc('cacp/work/list')).works.length
  await person.getByRole('button', { name: 'Send again' }).click()
  const dialog = person.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByRole('link', { name: 'See the new work' }).click()
  await expect.poll(async () => (await furnished.backend.rpc('cacp/work/list')).works.length).toBe(before + 1)
  await person
    .getByText(/Failed with code|Answer/)
    .first()
    .waitFor()
})
