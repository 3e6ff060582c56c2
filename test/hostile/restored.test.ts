import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { inSeconds, invitedBy } from './invited.ts'

test('one command of the founder brings back a contract that a backdated release undid', async () => {
  await using backend = await daemon()
  const { projectId } = await backend.rpc('cacp/project/create', {
    name: 'n',
    objective: 'o',
    repos: [{ name: 'backend-api' }, { name: 'eve' }],
  })
  await backend.rpc('cacp/project/join', { projectId, repoName: 'backend-api' })
  const eve = await invitedBy(backend, 'eve')
  const claim = eve.author.claim(projectId, 'eve', inSeconds(-5))
  await eve.tell(claim)
  const { contractId } = await backend.rpc('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Me',
    content: { path: '/me' },
  })
  const revision = (await eve.hear(projectId)).find(({ kind }) => kind === 'revision')
  if (revision === undefined) throw new TypeError('it was proposed')
  const status = async () => (await backend.rpc('cacp/contract/get', { projectId, contractId })).status
  await eve.tell(eve.author.answer(claim, revision, { at: inSeconds(0), action: 'agree' }))
  expect(await status()).toBe('agreed')
  await eve.tell(eve.author.release(claim, inSeconds(-4)))
  expect(await status()).toBe('proposed')

  const words = ['repo', 'settle', '--project-id', projectId, '--repo-name', 'eve', '--holder', 'null']
  const settled = await cacpd([...words, '--restore', 'eve'], { cwd: dirname(backend.dataDir) })
  expect(settled).toMatchObject({ exitCode: 0, out: expect.stringContaining('status: settled') })
  expect(await status()).toBe('agreed')
})
