import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { inSeconds, invitedBy, refusedOf } from './invited.ts'

/** What people are told of a member that says what does not hold, or what nobody can look at. */

test('status and the doctor say what was refused of a peer, and where to look', async () => {
  await using backend = await daemon()
  const cwd = dirname(backend.dataDir)
  const eve = await invitedBy(backend, 'eve')
  expect((await cacpd(['status'], { cwd })).err).toBe('')
  await eve.tell('nonsense\nall is well')
  expect((await cacpd(['status'], { cwd })).err).toBe(
    'note: 1 of what eve sent was refused, the newest: is not JSON; see `cacpd peers`\n',
  )
  expect((await cacpd(['doctor'], { cwd })).out).toContain(
    '! peers: 1 of what eve sent was refused, the newest: is not JSON\n',
  )
})

test('half a character makes one statement refused, and not the call that it came with', async () => {
  await using backend = await daemon()
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
  const eve = await invitedBy(backend, 'eve')
  const claim = eve.author.claim(projectId, 'eve', inSeconds(0))
  const half = JSON.stringify({ ...claim, id: '\ud800' }).replace('\\ud800', '\ud800')
  expect(await eve.tell(half, claim)).toMatchObject([{ status: 'refused' }, { status: 'taken' }])
  expect(await refusedOf(backend, eve.agentId)).toMatchObject({ count: 1 })
})

test('what waits for something that nobody sent is counted for whoever sent it', async () => {
  await using backend = await daemon()
  const cwd = dirname(backend.dataDir)
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
  const eve = await invitedBy(backend, 'eve')
  const claim = eve.author.claim(projectId, 'eve', inSeconds(0))
  const waitingOf = async () => (await backend.rpc('cacp/peer/list')).peers[0].waiting
  expect(await waitingOf()).toEqual({ count: 0, since: null })
  expect(await eve.tell(eve.author.release(claim, inSeconds(0)))).toEqual([{ status: 'waits' }])
  expect(await waitingOf()).toEqual({ count: 1, since: expect.stringMatching(/^2/) })
  expect((await cacpd(['peers'], { cwd })).out).toMatch(
    /\n\nwaiting for what nobody has sent yet:\n {2}eve: 1 statement \(the oldest since \d+ s ago\)\n$/,
  )
  await eve.tell(claim)
  expect(await waitingOf()).toEqual({ count: 0, since: null })
})
