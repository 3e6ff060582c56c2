import { expect, test } from 'vitest'
import { LIMITS } from '../../src/protocol/limits.ts'
import { arrives, createProject, FRONTEND, pair } from '../cluster/pairs.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { inSeconds, invitedBy } from './invited.ts'

test('a member that names as many repos as anybody may keeps nobody from adding one, joining or inviting', async () => {
  await using backend = await daemon()
  const projectId = await createProject(backend)
  const eve = await invitedBy(backend, 'eve')
  const own = eve.author.claim(projectId, 'eve', inSeconds(0))
  const names = Array.from({ length: LIMITS.repos }, (_, n) =>
    eve.author.nameRepo(own, `n${n}`, inSeconds(0)),
  )
  expect(new Set((await eve.tell(own, ...names)).map(({ status }) => status))).toEqual(new Set(['taken']))

  await backend.rpc('cacp/project/addRepo', { projectId, name: 'honest' })
  await using frontend = await daemon(FRONTEND)
  await pair(backend, frontend)
  await arrives(frontend, projectId)
  await frontend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' })
  expect(await backend.rpc('cacp/invite/create', { projectId, repoName: 'mobile' })).toMatchObject({
    url: expect.any(String),
  })
})
