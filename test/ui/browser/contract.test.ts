import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TwoRepos } from '../../support/browser/two-repos.ts'
import { story } from './two-repos-story.ts'

const FIRST = { method: 'GET', path: '/users/me', response: { id: 'string', name: 'string' } }
const MOVED = { ...FIRST, path: '/api/v1/users/me' }
const WITH_EMAIL = { ...MOVED, response: { ...FIRST.response, email: 'string' } }

const show = async (person: Page, { projectId }: TwoRepos, contractId: string, query = '') => {
  await person.goto(`c/${projectId}/${contractId}${query}`)
  await person.getByRole('heading', { level: 1 }).waitFor()
}

// biome-ignore lint/suspicious/noExplicitAny: as the daemon shows it
const contractAt = (at: TwoRepos['backend'], { projectId }: TwoRepos, contractId: string): Promise<any> =>
  at.rpc('cacp/contract/get', { projectId, contractId })

story('a person objects with a comment, and sees how far that has come', async ({ person, repos }) => {
  const { frontend } = repos
  const contractId = await repos.propose(frontend, 'Get User Profile', FIRST)
  await show(person, repos, contractId)
  await person.getByRole('radio', { name: 'Request a change' }).check()
  await person.getByLabel('What should be otherwise, and why?').fill('Please put it under /api/v1')
  await person.getByRole('button', { name: 'Request the change: version 1' }).click()

  const told = person.getByRole('complementary', { name: 'Your part' }).getByRole('status')
  await told.getByText('Requested a change of version 1').waitFor()
  await told.getByText(/«frontend-app» has it since .*; its agent has not read it yet/).waitFor()
  expect((await contractAt(frontend, repos, contractId)).responses).toMatchObject([
    { action: 'request_change', comment: 'Please put it under /api/v1', by: { by_person: true } },
  ])
  await told.getByText(/«frontend-app» has it since .*; its agent read it/).waitFor()
  await person.getByRole('region', { name: 'What was said and done' }).getByText('a person').waitFor()

  await person.getByRole('button', { name: 'Answer again' }).click()
  await person
    .getByRole('region', { name: 'Your answer to version 1' })
    .getByText(/^This repository requested a change of it (just now|\d+ \w+ ago)\./)
    .waitFor()
})

story('any two versions are compared, field by field and side by side', async ({ person, repos }) => {
  const contractId = await repos.propose(repos.frontend, 'Compared', FIRST)
  await repos.update(repos.frontend, contractId, MOVED)
  await repos.update(repos.frontend, contractId, WITH_EMAIL)
  await show(person, repos, contractId)
  await person.getByLabel('Compare').selectOption('version 1')
  await person.getByLabel('with').selectOption('version 3')

  const compared = person.getByRole('region', { name: 'What changes from version 1 to 3' })
  const fields = await compared.getByRole('list').filter({ hasText: 'response.email' }).first().innerText()
  expect(fields.replaceAll(/\s+/g, ' ')).toContain('"/users/me"')
  expect(fields.replaceAll(/\s+/g, ' ')).toContain('"/api/v1/users/me"')
  await compared.getByRole('button', { name: 'One column' }).click()
  expect(await compared.locator('ins').allInnerTexts()).toContainEqual(expect.stringContaining('email'))
  expect(new URL(person.url()).searchParams.get('v')).toBe('1..3')

  await person.reload()
  await compared.getByRole('button', { name: 'One column', pressed: true }).waitFor()

  // A version is not compared with itself, and what was chosen stays chosen.
  const lists = [person.getByLabel('Compare'), person.getByLabel('with')]
  await lists[0]?.selectOption('version 3')
  await person.getByRole('heading', { name: 'What changes from version 3 to 1' }).waitFor()
  expect(await Promise.all(lists.map((list) => list.inputValue()))).toEqual(['3', '1'])
  await lists[1]?.selectOption('version 2')
  await person.getByRole('heading', { name: 'What changes from version 3 to 2' }).waitFor()
  await person.getByRole('button', { name: /^v1/ }).click()
  await lists[0]?.selectOption('version 1')
  await person.getByRole('heading', { name: 'What changes from version 1 to 3' }).waitFor()
  expect(new URL(person.url()).searchParams.get('v')).toBe('1..3')
})

story('a conflict is settled field by field', async ({ person, repos }) => {
  const { backend, frontend } = repos
  const contractId = await repos.propose(backend, 'Upload Avatar', {
    path: '/avatar',
    size: 1,
    format: 'png',
  })
  await repos.changeBoth(contractId, {
    backend: { path: '/avatar', size: 2, format: 'png', scan: true },
    frontend: { path: '/avatar', size: 3, format: 'webp' },
  })
  await show(person, repos, contractId)
  const form = person.getByRole('form', { name: 'Settle the conflict' })
  const choose = async (field: string, value: string) => {
    const row = form
      .getByRole('row')
      .filter({ has: person.getByRole('rowheader', { name: field, exact: true }) })
    await row.getByRole('radio', { name: value, exact: true }).check()
  }
  await choose('size', '2')
  await choose('format', '"webp"')
  await choose('scan', 'true')
  await form.getByLabel('Why it is settled so').fill('Both are right')
  await form.getByRole('button', { name: 'Settle it: version 3' }).click()
  await person.getByText('Settled the conflict by version 3').waitFor()
  const versions = person.getByRole('region', { name: 'Versions' })
  await versions.getByRole('button', { name: /^v3 after/, pressed: true }).waitFor()
  expect(await versions.getByRole('button', { name: /^v2/ }).count()).toBe(2)
  expect(await versions.getByRole('button', { name: /^v2.*before/, pressed: true }).count()).toBe(1)

  const settled = {
    version: 3,
    conflicts: [],
    content: { path: '/avatar', size: 2, format: 'webp', scan: true },
  }
  await expect.poll(() => contractAt(frontend, repos, contractId)).toMatchObject(settled)
})

story('a conflict that is settled in the inbox leaves its receipt there', async ({ person, repos }) => {
  const contractId = await repos.propose(repos.backend, 'Crop Avatar', { size: 1 })
  await repos.changeBoth(contractId, { backend: { size: 2 }, frontend: { size: 3 } })
  await person.goto('')
  await person.getByRole('link', { name: /^Conflict «Crop Avatar»/ }).click()
  const chosen = person.getByRole('region', { name: 'What is chosen' })
  await chosen.getByText('settle which content holds').waitFor()
  await chosen.getByRole('button', { name: 'Settle it: version 3' }).click()
  await chosen.getByRole('status').getByText('Settled the conflict by version 3').waitFor()
  await chosen.getByText(/«frontend-app» has it since/).waitFor()
  await chosen.getByText('It is not in the list any more').waitFor()
  expect(await chosen.getByText('settle which content holds').count()).toBe(0)
})

story('nobody agrees to a version that came while he was writing', async ({ person, repos }) => {
  const { backend, frontend } = repos
  const contractId = await repos.propose(frontend, 'Moving', FIRST)
  await show(person, repos, contractId)
  await person.keyboard.press('a')
  await person.getByLabel('Comment (may stay empty)').fill('Fine with us')
  await repos.update(frontend, contractId, MOVED)

  await person
    .getByText('Version 2 arrived while you were reading version 1. What you wrote is kept.')
    .waitFor()
  await person.getByText('Look at version 2 before you answer').waitFor()
  await person.keyboard.press('Control+Enter')
  expect((await contractAt(backend, repos, contractId)).responses).toEqual([])

  await person.getByRole('button', { name: 'Look at what changed' }).click()
  await person.getByRole('heading', { name: 'What changes from version 1 to 2' }).waitFor()
  expect(await person.getByLabel('Comment (may stay empty)').inputValue()).toBe('Fine with us')
  await person.getByRole('button', { name: 'Agree: version 2' }).click()
  await person.getByText('Agreed to version 2').waitFor()
  expect(await contractAt(backend, repos, contractId)).toMatchObject({ version: 2, status: 'agreed' })
})

story('every form shows the call that it makes', async ({ person, repos }) => {
  const contractId = await repos.propose(repos.frontend, 'Shown', FIRST)
  await show(person, repos, contractId, '?act=reject')
  await person.getByLabel('What should be otherwise, and why?').fill('No')
  await person.getByText('The call this makes').click()
  const call = person.locator('pre').filter({ hasText: 'cacp/contract/respond' })
  expect(JSON.parse(await call.innerText())).toMatchObject({
    method: 'cacp/contract/respond',
    params: { contractId, action: 'reject', comment: 'No', version: 1 },
  })
})

story('an address opens a form and never sends it', async ({ person, repos }) => {
  const contractId = await repos.propose(repos.frontend, 'Linked', FIRST)
  await show(person, repos, contractId, '?act=agree')
  await person.getByRole('button', { name: 'Agree: version 1' }).waitFor()
  expect((await contractAt(repos.backend, repos, contractId)).responses).toEqual([])
})
