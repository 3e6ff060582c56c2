import { describe, expect, test } from 'vitest'
import { findDifference, findUnfinished } from './checks.ts'
import type { SimDaemon } from './sim-daemon.ts'
import { type Mode, World } from './world.ts'

/** Histories that chance hardly ever comes to, told step by step. */

const REPO = { role: 'backend', language: 'typescript' }
const OWN = { name: 'repo-n0', ...REPO }
const OTHER = { name: 'repo-n1', ...REPO }

/** Daemons that are all connected and have nothing to tell each other yet: two, or with `c` three. */
async function pair(mode: Mode = 'both', count: 2 | 3 = 2) {
  const world = worldOf(count, mode)
  const installed = world.install()
  const [a, b, c] = world.daemons as [SimDaemon, SimDaemon, SimDaemon]
  await world.open()
  await world.time.advance(5000)

  async function call(daemon: SimDaemon, method: string, params: object): Promise<Record<string, string>> {
    const answer = daemon.call(method, params)
    answer.catch(() => {})
    await world.time.advance(20)
    return (await answer) as Record<string, string>
  }

  const restore = async (daemon: SimDaemon, files: ReadonlyMap<string, Uint8Array>) => {
    daemon.crash({ powerFails: true })
    daemon.replaceDisk(files)
    world.boot(daemon)
    await world.time.advance(300_000)
  }

  return { world, a, b, c, call, restore, [Symbol.dispose]: () => installed[Symbol.dispose]() }
}

function worldOf(count: number, mode: Mode): World {
  for (let seed = 1; seed < 500; seed++) {
    const world = new World({ seed, mode })
    const { plain, hostile, member, network, daemons, edges } = world
    const isAlone = [plain, hostile, member, network.alter].every((one) => one === undefined)
    const isMesh = daemons.length === count && edges.length === (count * (count - 1)) / 2
    if (isMesh && isAlone && world.rules.callMillis === 2000) return world
  }
  throw new Error(`no seed has ${count} daemons alone`)
}

function expectEqual(world: World): void {
  expect(findDifference(world)).toBeUndefined()
  expect(findUnfinished(world)).toBeUndefined()
}

const has = (daemon: SimDaemon, projectId: string) => projectsOf(daemon).get(projectId) !== undefined
const projectsOf = ({ life }: SimDaemon) => life.store.view.projects

test('a peer that was restored from before gets again what it had, also where the sender was restored too', async () => {
  using story = await pair()
  const { world, a, b, call, restore } = story
  const create = async (name: string) => {
    await call(a, 'cacp/project/create', { name, objective: 'o', repos: [OWN] })
    await world.time.advance(3000)
  }
  await create('one')
  const backupOfA = a.disk.files()
  for (const name of ['two', 'three', 'four']) await create(name)
  const backupOfB = b.disk.files()
  // Away meanwhile, so that it gives nothing back.
  b.crash({ powerFails: true })
  await restore(a, backupOfA)
  await create('another two')
  world.boot(b)
  await world.time.advance(100_000)
  await restore(b, backupOfB)
  expect(projectsOf(b).size).toBe(5)
  expectEqual(world)
})

test('what was said by a clock that is far ahead comes to the others when its time has come', async () => {
  using story = await pair()
  const { world, a, b, call } = story
  a.clockOffset = 1500
  await call(a, 'cacp/project/create', { name: 'P', objective: 'o', repos: [OWN, OTHER] })
  await world.time.advance(2500)
  expect(projectsOf(b).size).toBe(0)
  b.clockOffset = 1500
  await world.time.advance(120_000)
  expect(projectsOf(b).size).toBe(1)
  expectEqual(world)
})

test('what was redacted before it was sent comes to a peer that is killed while it takes it in', async () => {
  using story = await pair('push')
  const { world, a, b, call } = story
  Object.assign(world.rules, { batchItems: 1 })
  const { projectId = '' } = await call(a, 'cacp/project/create', { name: 'P', objective: 'o', repos: [OWN] })
  for (let millis = 10; millis < 80; millis += 5) {
    // While it is on its way to the disk, and has no signature yet.
    const share = a.call('cacp/context/share', { projectId, type: 'code_snippet', content: {} })
    await world.time.advance(0)
    const [atOnce] = projectsOf(a).get(projectId)?.packets.newestFirst() ?? []
    const redacted = { projectId, packetId: atOnce?.packet_id, reason: 'at once' }
    await Promise.all([share, call(a, 'cacp/context/redact', redacted)])
    b.crash({ powerFails: true })
    const packet = { projectId, type: 'code_snippet', content: { tag: `${millis}` } }
    const { packetId } = await call(a, 'cacp/context/share', packet)
    await call(a, 'cacp/context/share', packet)
    await call(a, 'cacp/context/redact', { projectId, packetId, reason: 'a secret' })
    world.boot(b)
    await world.time.advance(millis)
    b.crash({ powerFails: true })
    world.boot(b)
    await world.time.advance(10_000)
  }
  expectEqual(world)
})

test('a rotation that the disk refused is not made at the next start, though a claim was tried meanwhile', async () => {
  using story = await pair()
  const { world, a, call } = story
  const { projectId = '' } = await call(a, 'cacp/project/create', {
    name: 'P',
    objective: 'o',
    repos: [OTHER],
  })
  await call(a, 'cacp/project/addRepo', { projectId, ...OWN })
  await world.time.advance(5000)
  const before = await call(a, 'cacp/identity/get', {})
  const release = a.disk.hold()
  const join = { projectId, repoName: 'repo-n0', idempotencyKey: 'join' }
  const tried = [
    ['cacp/identity/rotate', {}],
    // The second one begins when the first has failed, before the rotation has noticed that it failed.
    ['cacp/project/join', join],
    ['cacp/project/join', join],
  ].map(async ([method, params]) => a.call(method as string, params as object).catch(() => 'refused'))
  await world.time.advance(5)
  a.disk.freeBytes = 0
  release()
  await world.time.advance(3000)
  expect(await Promise.all(tried)).toEqual(['refused', 'refused', 'refused'])
  a.disk.freeBytes = Number.POSITIVE_INFINITY
  a.crash({ powerFails: true })
  world.boot(a)
  await world.time.advance(3000)
  expect(await call(a, 'cacp/identity/get', {})).toEqual(before)
})

test('a claim is confirmed that others brought before the next key of its daemon was known', async () => {
  using story = await pair('push', 3)
  const { world, a, b, call } = story
  // In one batch, so that only the next key speaks for the repo when the claim is looked at.
  Object.assign(world.rules, { batchItems: 400 })
  const given = { name: 'P', objective: 'o', repos: [OWN, OTHER] }
  const { projectId = '' } = await call(a, 'cacp/project/create', given)
  await world.time.advance(5000)
  a.crash({ powerFails: false })
  const { repoId = '' } = await call(b, 'cacp/project/join', { projectId, repoName: 'repo-n1' })
  await call(b, 'cacp/identity/rotate', {})
  await world.time.advance(5000)
  world.network.cut('http://n0', 'http://n1')
  world.network.cut('http://n1', 'http://n0')
  world.boot(a)
  await world.time.advance(5000)
  const holder = () => projectsOf(a).get(projectId)?.repos.get(repoId)?.holder
  expect(holder()?.is_confirmed).toBe(false)
  world.network.mend()
  await world.time.advance(100_000)
  expect(holder()?.is_confirmed).toBe(true)
  expectEqual(world)
})

describe('a project that is kept among its members', () => {
  const MEMBERS = { name: 'P', objective: 'o', visibility: 'members' }

  test('is fetched from one that gave its repo back, where nobody else has it', async () => {
    using story = await pair('digest', 3)
    const { world, a, b, c, call } = story
    const third = { name: 'repo-n2', ...REPO }
    const { projectId = '' } = await call(c, 'cacp/project/create', {
      ...MEMBERS,
      repos: [OWN, OTHER, third],
    })
    await world.time.advance(60_000)
    const { repoId = '' } = await call(b, 'cacp/project/join', { projectId, repoName: 'repo-n1' })
    await call(a, 'cacp/project/join', { projectId, repoName: 'repo-n0' })
    await world.time.advance(60_000)
    await call(a, 'cacp/repo/release', { projectId })
    await world.time.advance(60_000)
    c.crash({ powerFails: false })
    // Who has which repo is changed on the way: at first all of it, and then only what is sent, not what is fetched.
    let isFirst = true
    world.network.alter = (body) =>
      isFirst || body.includes('cacp/sync/statements')
        ? body.replaceAll(/(\\"kind\\":\\"(?:claim|repo)\\".*?\\"sig\\":\\")/g, '$1A')
        : body
    b.crash({ powerFails: true })
    world.replaceDisk(b, new Map())
    world.boot(b)
    await world.time.advance(60_000)
    expect(projectsOf(b).get(projectId)?.repos.size).toBe(0)
    isFirst = false
    await world.time.advance(300_000)
    expect(projectsOf(b).get(projectId)?.repos.get(repoId)?.claims).toHaveLength(1)
  })

  test.each([400, 600, 700, 800, 1000])(
    'is not shown to a repo whose naming never came to the disk (%i bytes left)',
    async (freeBytes) => {
      using story = await pair()
      const { world, a, b, call } = story
      const { projectId = '' } = await call(a, 'cacp/project/create', { ...MEMBERS, repos: [OWN] })
      await call(a, 'cacp/project/join', { projectId, repoName: 'repo-n0' })
      await world.time.advance(5000)
      const release = a.disk.hold()
      const share = a.call('cacp/context/share', { projectId, type: 'code_snippet', content: { tag: 's' } })
      share.catch(() => {})
      await world.time.advance(5)
      const naming = a.call('cacp/project/addRepo', { projectId, repo: OTHER, ...OTHER }).then(
        () => true,
        () => false,
      )
      await world.time.advance(5)
      a.disk.freeBytes = freeBytes
      release()
      await world.time.advance(3000)
      a.disk.freeBytes = Number.POSITIVE_INFINITY
      await world.time.advance(100_000)
      expect(has(b, projectId)).toBe(await naming)
      expectEqual(world)
    },
  )

  test('tells a member that was restored from before it gave its repo back that it did', async () => {
    using story = await pair()
    const { world, a, b, call, restore } = story
    const { projectId = '' } = await call(a, 'cacp/project/create', { ...MEMBERS, repos: [OWN, OTHER] })
    await world.time.advance(5000)
    await call(b, 'cacp/project/join', { projectId, repoName: 'repo-n1' })
    await world.time.advance(5000)
    const backup = b.disk.files()
    // By a key that it did not have then.
    await call(b, 'cacp/identity/rotate', {})
    await world.time.advance(5000)
    const { repoId = '' } = await call(b, 'cacp/repo/release', { projectId })
    await world.time.advance(5000)
    await call(a, 'cacp/context/share', { projectId, type: 'code_snippet', content: { tag: 'later' } })
    await restore(b, backup)
    expect(projectsOf(b).get(projectId)?.repos.get(repoId)?.holder).toBeUndefined()
    expect(projectsOf(b).get(projectId)?.packets.size).toBe(0)
    expectEqual(world)
  })

  test('comes to a peer that turns out to be of the repo that it names', async () => {
    using story = await pair()
    const { world, a, b, call } = story
    const { projectId = '' } = await call(a, 'cacp/project/create', {
      ...MEMBERS,
      repos: [OWN, { name: 'other', ...REPO }],
    })
    await world.time.advance(5000)
    await call(a, 'cacp/project/create', { name: 'open', objective: 'o', repos: [OWN] })
    await world.time.advance(5000)
    const registered = a.meet({ ...b.acquaintance, repoName: 'other' })
    await world.time.advance(100)
    await registered
    await world.time.advance(600_000)
    expect(has(b, projectId)).toBe(true)
  })
})
