import { expect, test } from 'vitest'
import { duties, openThree, PROPOSAL, propose } from '../support/daemons/three-repos.ts'
import { openDesk } from '../support/desk/desk.ts'

/** What is told to do where a version is in force and another is proposed, or a repo is gone. */

test('what is in force is to be built also while a change of it is proposed', async () => {
  await using desk = await openDesk()
  const { projectId, ids, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
  expect([await duties(backend), await duties(frontend)]).toEqual([
    ['start_implementation'],
    ['answer_contract'],
  ])
  const { items } = await backend('cacp/inbox/list', {})
  expect(items[0]).toMatchObject({
    about: { version: 1 },
    why: expect.stringContaining('Version 1 is agreed'),
  })
  const { owed } = await backend('cacp/project/summary', { projectId })
  expect(owed).toMatchObject([
    { version: 2, to: 'answer it' },
    { version: 1, to: 'implement it', repos: ['backend-api', 'frontend-app'] },
  ])
  await frontend('cacp/contract/respond', { ...ids, action: 'reject' })
  expect(await duties(frontend)).toEqual(['start_implementation', 'answer_contract'])
})

test('nobody is asked to build what is proposed to end', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await backend('cacp/contract/update', { ...ids, retire: true })
  expect(await duties(backend)).toEqual([])
})

test('whoever takes a repo out is told what it was a party of, and a lone author what to do', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openThree(desk, [])
  await backend('cacp/contract/propose', { projectId, ...PROPOSAL, parties: ['backend-api', 'mobile-app'] })
  expect(await backend('cacp/project/removeRepo', { projectId, repoName: 'mobile-app' })).toMatchObject({
    partyOf: ['Login'],
  })
  const { items } = await backend('cacp/inbox/list', {})
  expect(items[0]?.why).toMatch(/^Nobody but this repo has to agree to version 1/)
})

test('whoever is asked sees what the question offers', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openThree(desk)
  await frontend('cacp/context/askQuestion', { projectId, question: 'Which?', options: ['JWT', 'Cookies'] })
  const { items } = await backend('cacp/inbox/list', {})
  expect(items[0]?.why).toContain('its options: «JWT», «Cookies»')
})
