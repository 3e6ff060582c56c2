import { expect, test } from 'vitest'
import { repoIdOf } from '../../src/domain/statements/shared-fields.ts'
import { createProject } from '../cluster/pairs.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { inSeconds, invitedBy } from './invited.ts'

test.each([
  { deed: 'gives its repo back', method: 'cacp/repo/release' },
  { deed: 'takes another key', method: 'cacp/identity/rotate' },
])('whoever $deed has still agreed to what one proposed whose clock is ahead', async ({ method }) => {
  await using backend = await daemon()
  const projectId = await createProject(backend)
  const eve = await invitedBy(backend, 'eve')
  const own = eve.author.claim(projectId, 'eve', inSeconds(0))
  const parties = [repoIdOf(projectId, 'backend-api'), own.about]
  const proposed = eve.author.propose(own, inSeconds(240), { parties })
  await eve.tell(own, proposed)
  const contractId = proposed.about
  await backend.rpc('cacp/contract/respond', { projectId, contractId, action: 'agree' })
  await backend.rpc(method, method === 'cacp/repo/release' ? { projectId } : {})
  expect(await backend.rpc('cacp/contract/get', { projectId, contractId })).toMatchObject({
    status: 'agreed',
  })
})
