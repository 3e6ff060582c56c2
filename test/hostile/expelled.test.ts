import { expect, test } from 'vitest'
import { createProject } from '../cluster/pairs.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { inSeconds, invitedBy } from './invited.ts'

/** A real daemon, and somebody who was expelled from one of its projects. */

const holderIn = async (at: TestDaemon, projectId: string, name: string) => {
  const { repos } = await at.rpc('cacp/project/get', { projectId })
  return repos.find((one: { name: string }) => one.name === name)
}

test('one that was expelled reads nothing more by claiming another repo', async () => {
  await using backend = await daemon()
  const repos = ['backend-api', 'eve'].map((name) => ({ name, role: 'r', language: 'x' }))
  const projectId = await createProject(backend, { visibility: 'members', repos })
  await backend.rpc('cacp/project/join', { projectId, repoName: 'backend-api' })
  const eve = await invitedBy(backend, 'eve')
  await eve.tell(eve.author.claim(projectId, 'eve', inSeconds(0)))
  expect(await eve.hear(projectId)).not.toEqual([])
  await backend.rpc('cacp/repo/settle', { projectId, repoName: 'eve', holder: null })
  await backend.rpc('cacp/context/share', { projectId, type: 'decision', content: { secret: 1 } })

  expect(await eve.tell(eve.author.claim(projectId, 'eve2', inSeconds(1)))).toEqual([{ status: 'taken' }])
  expect(await holderIn(backend, projectId, 'eve2')).toMatchObject({ assigned_agent: 'eve' })
  // Confirmed after Eve's claim: hers was looked at before.
  const mobile = await invitedBy(backend, 'mobile')
  await mobile.tell(mobile.author.claim(projectId, 'mobile', inSeconds(2)))
  await expect.poll(() => mobile.hear(projectId).catch(() => []), { timeout: 10_000 }).not.toEqual([])
  await expect(eve.hear(projectId)).rejects.toMatchObject({ data: { kind: 'not_found' } })
})
