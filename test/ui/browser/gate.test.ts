import { expect } from 'vitest'
import { story } from './two-repos-story.ts'

const CONTENT = { method: 'GET', path: '/users/me', response: { id: 'string' } }

story('a person sees who may merge, why not, and what that rests on', async ({ person, repos }) => {
  const { backend, frontend, projectId } = repos
  const contractId = await repos.propose(backend, 'Merged Together', CONTENT)
  const target = { projectId, contractId }
  await person.goto(`c/${projectId}/${contractId}`)
  await person.getByRole('heading', { level: 1 }).waitFor()
  const gate = person.getByRole('region', { name: 'May it be merged?' })
  const rowOf = (repo: string) =>
    gate
      .getByRole('listitem')
      .filter({ hasText: `«${repo}»` })
      .first()
  expect(await gate.count()).toBe(0)

  await frontend.rpc('cacp/contract/respond', { ...target, action: 'agree' })
  await rowOf('backend-api').getByText('not known').waitFor()
  await gate.getByText('Nobody has tried it with evidence.').waitFor()

  for (const side of [backend, frontend]) {
    await side.rpc('cacp/implementation/start', target)
    await side.rpc('cacp/implementation/complete', { ...target, files: ['src/me'] })
  }
  await gate.getByText('Nobody has verified version 1 as it is now').first().waitFor()
  const evidence = [
    { kind: 'run', command: 'npm run e2e', exitCode: 0 },
    { kind: 'exchanges', count: 12, failed: 0, seen: ['response.200.body'], of: 2, har: null, failures: [] },
  ]
  await backend.rpc('cacp/implementation/verify', { ...target, result: 'success', evidence })

  await rowOf('backend-api').getByText('may merge').waitFor()
  await rowOf('backend-api').getByText('Version 1 is complete on all sides and verified').waitFor()
  await rowOf('frontend-app').getByText('may merge').waitFor()
  await gate.getByText(/ran npm run e2e: exit code 0, /).waitFor()
  await gate.getByText(/saw 12 requests, 0 did not fit; 1 of 2 places, /).waitFor()
})
