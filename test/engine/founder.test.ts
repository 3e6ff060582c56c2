import { expect, test } from 'vitest'
import type { Peer } from '../../src/domain/model.ts'
import { repoIdOf } from '../../src/domain/statements/words.ts'
import { Founder } from '../../src/engine/founder.ts'
import { at } from '../domain/builders.ts'
import { Author } from '../domain/statements/author.ts'
import { type Desk, openDesk, SELF } from '../support/desk.ts'

const peer = ({ name, publicKey }: Author, isPinned = true): Peer => ({
  agent_id: name,
  endpoint: `http://${name}`,
  repo_name: name,
  trust: 'approved',
  registered_at: at(0),
  last_seen: at(0),
  ...(isPinned ? { identity: publicKey } : {}),
})

/** A founder's daemon that knows these, with one project of one repo that nobody has claimed. */
async function founded(desk: Desk, ...peers: Peer[]): Promise<string> {
  const local = peers.map((value) => ({ table: 'peer' as const, id: value.agent_id, value }))
  await desk.store.commit(() => ({ result: undefined, local }))
  const named = { name: 'P', objective: 'o', repos: [{ name: 'web' }] }
  return (await desk.call('cacp/project/create', named)).projectId
}

const claims = async (desk: Desk, projectId: string, ...authors: Author[]) => {
  const takes = authors.map((author) => author.claim(projectId, 'web', desk.clock.now()))
  await desk.store.commit(() => ({ result: undefined, takes }))
  await settled(desk)
}

/** What the founder says by itself is on disk once the store answers a few more times. */
async function settled({ store }: Desk): Promise<void> {
  for (let n = 0; n < 5; n++) await store.commit(() => ({ result: undefined }))
}

const holder = ({ store }: Desk, projectId: string) =>
  store.view.projects.get(projectId)?.repos.get(repoIdOf(projectId, 'web'))?.holder

const [WEB, MALLORY, STRANGER] = [new Author('web'), new Author('mallory'), new Author('stranger')]

const start = ({ store, clock }: Desk, isOpen = false) =>
  new Founder({
    self: SELF,
    store,
    clock,
    isOpen,
    failed: (error) => {
      throw error
    },
  })

test('the first claim of a repo by a paired daemon is confirmed, and no earlier one takes it away', async () => {
  await using desk = await openDesk()
  start(desk)
  const projectId = await founded(desk, peer(WEB), peer(MALLORY))
  await claims(desk, projectId, WEB)
  expect(holder(desk, projectId)).toMatchObject({ agent_id: 'web', is_confirmed: true })
  const older = MALLORY.claim(projectId, 'web', at(0))
  await desk.store.commit(() => ({ result: undefined, takes: [older] }))
  await settled(desk)
  expect(holder(desk, projectId)).toMatchObject({ agent_id: 'web' })
})

test('of two that arrive together the first is confirmed', async () => {
  await using desk = await openDesk()
  start(desk)
  const projectId = await founded(desk, peer(WEB), peer(MALLORY))
  await claims(desk, projectId, WEB, MALLORY)
  expect(holder(desk, projectId)).toMatchObject({ agent_id: 'web', is_confirmed: true })
})

test('what a stranger claimed first is confirmed for nobody: a person has to settle it', async () => {
  await using desk = await openDesk()
  start(desk)
  const projectId = await founded(desk, peer(MALLORY))
  await claims(desk, projectId, STRANGER)
  await claims(desk, projectId, MALLORY)
  expect(holder(desk, projectId)).toMatchObject({ agent_id: 'stranger', is_confirmed: false })
})

test('one that claimed before it was paired, or before a start, is confirmed when that is looked at', async () => {
  await using desk = await openDesk()
  const projectId = await founded(desk)
  await claims(desk, projectId, WEB)
  const founder = start(desk)
  founder.look()
  await settled(desk)
  expect(holder(desk, projectId)).toMatchObject({ is_confirmed: false })
  await desk.store.commit(() => ({
    result: undefined,
    local: [{ table: 'peer', id: 'web', value: peer(WEB) }],
  }))
  founder.look()
  await settled(desk)
  expect(holder(desk, projectId)).toMatchObject({ is_confirmed: true })
})

test.each([
  [true, true],
  [false, false],
])('one that only registered is confirmed at an open daemon (%s): %s', async (isOpen, isConfirmed) => {
  await using desk = await openDesk()
  start(desk, isOpen)
  const projectId = await founded(desk, peer(WEB, false))
  await claims(desk, projectId, WEB)
  expect(holder(desk, projectId)).toMatchObject({ is_confirmed: isConfirmed })
})

test('a key that lost the repo by a settlement is not confirmed when it claims it again', async () => {
  await using desk = await openDesk()
  start(desk)
  const projectId = await founded(desk, peer(MALLORY))
  await claims(desk, projectId, MALLORY)
  await desk.call('cacp/repo/settle', { projectId, repoName: 'web', holder: null })
  const [first] =
    desk.store.view.projects.get(projectId)?.said.saidAbout(repoIdOf(projectId, 'web'), 'claim') ?? []
  if (first === undefined) throw new TypeError('mallory has claimed it')
  const takes = [MALLORY.release(first, desk.clock.now()), MALLORY.claim(projectId, 'web', desk.clock.now())]
  await desk.store.commit(() => ({ result: undefined, takes }))
  await settled(desk)
  expect(holder(desk, projectId)?.is_confirmed).not.toBe(true)
})
