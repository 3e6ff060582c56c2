import { describe, expect, test } from 'vitest'
import type { Peer } from '../../../src/domain/model.ts'
import { repoIdOf } from '../../../src/domain/statements/shared-fields.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { confirmClaimsOnArrival } from '../../../src/engine/peers/founder.ts'
import { at } from '../../domain/builders.ts'
import { Author } from '../../domain/statements/author.ts'
import { type Desk, openDesk, SELF } from '../../support/desk/desk.ts'

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

const claims = (desk: Desk, projectId: string, ...authors: Author[]) =>
  takes(desk, ...authors.map((author) => author.claim(projectId, 'web', desk.clock.now())))

const takes = async (desk: Desk, ...statements: Statement[]) => {
  await desk.store.commit(() => ({ result: undefined, takes: statements }))
  await settled(desk)
}

/** The peer of this name shows another key now, for which the one before vouched. */
const pins = ({ store }: Desk, { publicKey }: Author, before: Author, ...earlier: Author[]) => {
  const former_keys = [before, ...earlier].map(({ key }) => key)
  const value: Peer = { ...peer(before), agent_id: 'mallory', identity: publicKey, former_keys }
  return store.commit(() => ({ result: undefined, local: [{ table: 'peer', id: 'mallory', value }] }))
}

/** What the founder says by itself is on disk once the store answers a few more times. */
async function settled({ store }: Desk): Promise<void> {
  for (let n = 0; n < 5; n++) await store.commit(() => ({ result: undefined }))
}

const holder = ({ store }: Desk, projectId: string, name = 'web') =>
  store.view.projects.get(projectId)?.repos.get(repoIdOf(projectId, name))?.holder

const [WEB, MALLORY, STRANGER] = [new Author('web'), new Author('mallory'), new Author('stranger')]

const start = ({ store, clock }: Desk, isOpen = false) =>
  confirmClaimsOnArrival({
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

test('what a stranger claimed and released is confirmed for nobody else, so that what it agreed to still counts', async () => {
  await using desk = await openDesk()
  start(desk)
  const projectId = await founded(desk, peer(MALLORY))
  const first = STRANGER.claim(projectId, 'web', desk.clock.now())
  await takes(desk, first)
  await desk.call('cacp/project/join', { projectId, repoName: 'backend-api' })
  const { contractId } = await desk.call('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User',
    content: { path: '/me' },
    parties: ['web'],
  })
  const inForce = async () => (await desk.call('cacp/contract/get', { projectId, contractId })).inForce
  const [revision] = desk.store.view.projects.get(projectId)?.said.saidAbout(contractId, 'revision') ?? []
  if (revision === undefined) throw new TypeError('the contract has a first version')
  await takes(desk, STRANGER.answer(first, revision, { at: desk.clock.now(), action: 'agree' }))
  expect(await inForce()).toMatchObject({ version: 1 })
  await takes(desk, STRANGER.release(first, desk.clock.now()))
  await claims(desk, projectId, MALLORY)
  expect(holder(desk, projectId)).toMatchObject({ agent_id: 'mallory', is_confirmed: false })
  expect(await inForce()).toMatchObject({ version: 1 })
})

test('a repo that a confirmed daemon released is confirmed for the next one', async () => {
  await using desk = await openDesk()
  start(desk)
  const projectId = await founded(desk, peer(WEB), peer(MALLORY))
  const first = WEB.claim(projectId, 'web', desk.clock.now())
  await takes(desk, first)
  await takes(desk, WEB.release(first, desk.clock.now()))
  await claims(desk, projectId, MALLORY)
  expect(holder(desk, projectId)).toMatchObject({ agent_id: 'mallory', is_confirmed: true })
})

test('one that claimed before it was paired, or before a start, is confirmed when that is looked at', async () => {
  await using desk = await openDesk()
  const projectId = await founded(desk)
  await claims(desk, projectId, WEB)
  const checkAll = start(desk)
  checkAll()
  await settled(desk)
  expect(holder(desk, projectId)).toMatchObject({ is_confirmed: false })
  await desk.store.commit(() => ({
    result: undefined,
    local: [{ table: 'peer', id: 'web', value: peer(WEB) }],
  }))
  checkAll()
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

describe('a daemon that lost a repo by a settlement', () => {
  async function expelled(desk: Desk) {
    const projectId = await founded(desk, peer(MALLORY), peer(WEB))
    await claims(desk, projectId, MALLORY)
    await desk.call('cacp/repo/settle', { projectId, repoName: 'web', holder: null })
    return projectId
  }

  test('is not confirmed as another repo, while others are', async () => {
    await using desk = await openDesk()
    start(desk)
    const projectId = await expelled(desk)
    await takes(desk, MALLORY.claim(projectId, 'docs', desk.clock.now()))
    await takes(desk, WEB.claim(projectId, 'api', desk.clock.now()))
    expect(holder(desk, projectId, 'docs')).toMatchObject({ agent_id: 'mallory', is_confirmed: false })
    expect(holder(desk, projectId, 'api')).toMatchObject({ agent_id: 'web', is_confirmed: true })
  })

  test('is not confirmed where the repo that it lost was its own and is gone with it', async () => {
    await using desk = await openDesk()
    start(desk)
    const projectId = await founded(desk, peer(MALLORY))
    await takes(desk, MALLORY.claim(projectId, 'mallory', desk.clock.now()))
    expect(holder(desk, projectId, 'mallory')).toMatchObject({ is_confirmed: true })
    await desk.call('cacp/repo/settle', { projectId, repoName: 'mallory', holder: null })
    await takes(desk, MALLORY.claim(projectId, 'docs', desk.clock.now()))
    expect(holder(desk, projectId, 'docs')).toMatchObject({ agent_id: 'mallory', is_confirmed: false })
  })

  test('is not confirmed by its next key either', async () => {
    await using desk = await openDesk()
    start(desk)
    const projectId = await expelled(desk)
    const next = new Author('next')
    await pins(desk, next, MALLORY)
    await takes(desk, next.claim(projectId, 'docs', desk.clock.now()))
    expect(holder(desk, projectId, 'docs')).toMatchObject({ agent_id: 'next', is_confirmed: false })
  })

  test('is confirmed when a person gives it a repo by name', async () => {
    await using desk = await openDesk()
    start(desk)
    const projectId = await expelled(desk)
    await takes(desk, MALLORY.claim(projectId, 'docs', desk.clock.now()))
    await desk.call('cacp/repo/settle', { projectId, repoName: 'docs', holder: 'mallory' })
    expect(holder(desk, projectId, 'docs')).toMatchObject({ agent_id: 'mallory', is_confirmed: true })
  })

  test('that only registered is known by its agent', async () => {
    await using desk = await openDesk()
    start(desk, true)
    const projectId = await founded(desk, peer(MALLORY, false))
    await claims(desk, projectId, MALLORY)
    await desk.call('cacp/repo/settle', { projectId, repoName: 'web', holder: null })
    await takes(desk, STRANGER.claim(projectId, 'docs', desk.clock.now(), 'mallory'))
    expect(holder(desk, projectId, 'docs')).toMatchObject({ is_confirmed: false })
  })

  test('makes nobody else suspect by calling itself by the key of another one', async () => {
    await using desk = await openDesk()
    start(desk)
    const projectId = await founded(desk, peer(MALLORY), peer(WEB))
    await takes(desk, MALLORY.claim(projectId, 'web', desk.clock.now(), WEB.key))
    await desk.call('cacp/repo/settle', { projectId, repoName: 'web', holder: null })
    await takes(desk, WEB.claim(projectId, 'api', desk.clock.now()))
    expect(holder(desk, projectId, 'api')).toMatchObject({ agent_id: 'web', is_confirmed: true })
  })
})

describe('a daemon that has another key now', () => {
  test('is confirmed by that only when nothing that the former ones claimed holds any more', async () => {
    await using desk = await openDesk()
    start(desk)
    const projectId = await founded(desk, peer(MALLORY))
    const first = MALLORY.claim(projectId, 'web', desk.clock.now())
    await takes(desk, first)
    const [second, third] = [new Author('second'), new Author('third')]
    await pins(desk, second, MALLORY)
    await takes(desk, second.claim(projectId, 'docs', desk.clock.now()))
    await pins(desk, third, second, MALLORY)
    await takes(desk, third.claim(projectId, 'api', desk.clock.now()))
    for (const name of ['docs', 'api']) expect(holder(desk, projectId, name)?.is_confirmed).toBe(false)
    await takes(desk, MALLORY.release(first, desk.clock.now()))
    await takes(desk, third.claim(projectId, 'mobile', desk.clock.now()))
    expect(holder(desk, projectId, 'mobile')?.is_confirmed).toBe(true)
  })

  test('is confirmed by what it claimed before, once the project knows that key', async () => {
    await using desk = await openDesk()
    start(desk)
    const projectId = await founded(desk, peer(MALLORY))
    const next = new Author('next')
    await pins(desk, next, MALLORY)
    const claim = MALLORY.claim(projectId, 'web', desk.clock.now())
    await takes(desk, claim)
    expect(holder(desk, projectId)?.is_confirmed).toBe(false)
    await takes(desk, MALLORY.rotate(claim, next, { at: desk.clock.now() }))
    expect(holder(desk, projectId)?.is_confirmed).toBe(true)
  })

  test('may claim several repos by one and the same', async () => {
    await using desk = await openDesk()
    start(desk)
    const projectId = await founded(desk, peer(MALLORY))
    for (const name of ['web', 'docs']) await takes(desk, MALLORY.claim(projectId, name, desk.clock.now()))
    for (const name of ['web', 'docs']) expect(holder(desk, projectId, name)?.is_confirmed).toBe(true)
  })
})
