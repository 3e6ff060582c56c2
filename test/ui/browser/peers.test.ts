import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createProject, healthOf, peersOf } from '../../cluster/pairs.ts'
import { signIn } from '../../support/browser/sign-in.ts'
import type { TestDaemon } from '../../support/daemons/daemon.ts'
import { story } from './two-repos-story.ts'

const SOON = { timeout: 20_000 }
const MOBILE = 'aid://example.com/mobile@1.0.0'

/** A daemon that knows only its address asks to be let in. */
const register = (at: TestDaemon, repoName: string, agentId: string) =>
  at.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: '' },
    body: JSON.stringify({ agentId, endpoint: 'http://127.0.0.1:9', repoName }),
  })

const rowOf = (person: Page, repo: string) =>
  person
    .getByRole('region', { name: 'Other daemons' })
    .getByRole('listitem')
    .filter({ hasText: `«${repo}»` })

story('a person sees who asks to be let in, and approves it', async ({ person, repos }) => {
  const { backend } = repos
  await person.goto('peers')
  await rowOf(person, 'frontend-app')
    .getByText('it can be reached, and has everything that is here')
    .waitFor()
  await person.getByText('None; cacpd hub connect URL joins one').waitFor()
  await register(backend, 'mobile-app', MOBILE)
  await person.getByText('One daemon asks to be let in.').waitFor()
  await expect.poll(() => person.title()).toMatch(/^\(1\) Peers · backend-api/)

  await rowOf(person, 'mobile-app').getByRole('button', { name: 'Approve' }).click()
  const dialog = person.getByRole('dialog')
  await dialog.getByText('This gives no key and proves no name').waitFor()
  await dialog.getByText('http://127.0.0.1:9').waitFor()
  expect((await peersOf(backend))[1].trust).toBe('pending')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByText(/Done\. On disk/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect((await peersOf(backend))[1].trust).toBe('approved')
  await rowOf(person, 'mobile-app').getByRole('button', { name: 'Sync now' }).waitFor()
  await expect.poll(() => person.title()).toMatch(/^Peers/)

  // Nobody answers at the address that it gave.
  await rowOf(person, 'mobile-app')
    .getByText(/See that its daemon runs there and can be reached/)
    .waitFor()
  await rowOf(person, 'mobile-app')
    .getByText(/it has no key of this daemon.*Make an invite/)
    .waitFor()
})

story('a receipt names the daemon only where something is wrong with it', async ({ person, repos }) => {
  const { backend, frontend, projectId } = repos
  const contractId = await repos.propose(frontend, 'Asked About', { path: '/x' })
  await backend.rpc('cacp/project/addRepo', { projectId, name: 'mobile-app' })
  await person.goto(`c/${projectId}/${contractId}?act=ask`)
  await person.getByRole('textbox', { name: 'Question' }).fill('Which port?')
  await person.getByRole('button', { name: 'Ask', exact: true }).click()
  const told = person.getByRole('region', { name: 'More' }).getByRole('status')
  await told.getByText(/^«mobile-app» has not got it yet: its daemon (cannot|could not) be reached/).waitFor()
  await told.getByText(/^«frontend-app» has it since/).waitFor()
})

story('the page of a peer that was shut out does not contradict itself', async ({ person, repos }) => {
  const agentId = 'aid://example.com/tablet@1.0.0'
  await register(repos.backend, 'tablet-app', agentId)
  await repos.backend.rpc('cacp/peer/revoke', { agentId })
  await person.goto(`peers/${encodeURIComponent(agentId)}`)
  const how = person.getByRole('region', { name: 'How it is' })
  await how.getByText('you shut it out: nothing is sent to it').waitFor()
  await how.getByText('None: it was never paired').waitFor()
  expect(await how.getByText('Circuit breaker').count()).toBe(0)
})

story('an invite is shown once, and lets nobody in once it is withdrawn', async ({ person, repos }) => {
  await person.goto('peers')
  await person.getByRole('button', { name: 'Invite a daemon' }).click()
  const dialog = person.getByRole('dialog')
  await dialog.getByLabel('Name of the repository').fill('web-app')
  await dialog.getByRole('button', { name: 'Make the invite' }).click()
  const url = await dialog.locator('pre').first().innerText()
  await dialog.getByRole('button', { name: 'Close' }).click()

  const invites = person.getByRole('region', { name: 'Invites' })
  const row = invites.getByRole('row').filter({ hasText: '«web-app»' })
  await row.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await row.waitFor({ state: 'hidden' })
  await expect(repos.frontend.rpc('cacp/peer/join', { url })).rejects.toThrow()
  expect(await person.content()).not.toContain(url)
})

story(
  'the founder takes a repository from an agent, and a person there gives up its claim',
  async ({ person, openContext, repos }) => {
    const { backend, frontend, projectId } = repos
    const agentId = 'aid://example.com/frontend@1.0.0'
    await person.goto(`peers/${encodeURIComponent(agentId)}`)
    const held = person.getByRole('region', { name: 'What it speaks for' })
    await held.getByRole('button', { name: 'Settle who holds frontend-app' }).click()
    const dialog = person.getByRole('dialog')
    await dialog.getByText('Choose who holds it.').waitFor()
    await dialog.getByRole('radio', { name: `${agentId} ` }).waitFor()
    await dialog.getByRole('radio', { name: 'Nobody, until somebody joins' }).check()
    await dialog.getByRole('button', { name: 'Settle who holds' }).click()
    await dialog.getByText('Nobody holds it now.').waitFor()
    const claims = async () => {
      const { repos: all } = await backend.rpc('cacp/project/get', { projectId, parts: ['repos'] })
      const repo = all.find(({ name }: { name: string }) => name === 'frontend-app')
      return [
        repo.agent_id,
        ...repo.claims.map((one: { released_at: string | null }) => one.released_at !== null),
      ]
    }
    expect(await claims()).toEqual([null, false])

    const loser = await (await openContext()).newPage()
    await signIn(loser, frontend)
    await loser.getByRole('link', { name: /^Claim lost «User Auth»/ }).click()
    await loser.getByRole('button', { name: 'Release frontend-app' }).click()
    await loser.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
    await loser
      .getByRole('dialog')
      .getByText(/Done\. On disk/)
      .waitFor()
    await expect.poll(claims, SOON).toEqual([null, true])
  },
)

story(
  'a peer is revoked by one who typed its name, and the other side notices',
  async ({ person, repos }) => {
    const { backend, frontend } = repos
    await person.goto('peers')
    await rowOf(person, 'frontend-app').getByRole('button', { name: 'Revoke' }).click()
    const dialog = person.getByRole('dialog')
    const words = (await peersOf(backend))[0].fingerprint
    await dialog.getByText(words, { exact: true }).waitFor()
    await dialog.getByLabel(/to show that you mean it/).press('Control+Enter')
    await dialog.getByText('Type the name to go on.').waitFor()
    expect((await peersOf(backend))[0].trust).toBe('approved')
    const button = dialog.getByRole('button', { name: 'Revoke' })
    const look = () =>
      person.evaluate('getComputedStyle(document.querySelector("dialog [type=submit]")).color')
    const unarmed = await look()
    await dialog.getByLabel(/to show that you mean it/).fill('«frontend-app»')
    expect(await look(), 'told apart from one that does nothing yet').not.toBe(unarmed)
    await button.click()
    await dialog.getByText(/Done\. On disk/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await rowOf(person, 'frontend-app').getByText('you shut it out').waitFor()
    const projectId = await createProject(frontend, { name: 'Unheard' })
    await expect.poll(() => healthOf(frontend), SOON).not.toEqual(['healthy'])
    await expect(backend.rpc('cacp/project/get', { projectId })).rejects.toThrow()
  },
)
