import { describe, expect, test } from 'vitest'
import { repoIdOf } from '../../../src/domain/statements/shared-fields.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import type { RepoEntity } from '../../../src/domain/views/entities.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { Author } from '../../domain/statements/author.ts'
import { type Desk, OUTSIDER, openDesk, openFeature } from '../../support/desk/desk.ts'

/** A project that was founded here, and one repo of it that nobody has claimed yet. */
async function withVacancy(desk: Desk) {
  const feature = await openFeature(desk)
  await feature.backend('cacp/project/addRepo', { projectId: feature.projectId, name: 'mobile-app' })
  return feature
}

/** What another daemon says to take a repo over. */
async function claimFrom(desk: Desk, projectId: string, author: Author) {
  const claim = author.claim(projectId, 'mobile-app', desk.clock.now())
  await hear(desk, claim)
  return claim
}

const hear = (desk: Desk, ...takes: readonly Statement[]) =>
  desk.store.commit(() => ({ result: undefined, takes }))

function repoIn(desk: Desk, projectId: string, name: string): RepoEntity {
  const repo = desk.store.view.projects.get(projectId)?.repos.get(repoIdOf(projectId, name))
  if (repo === undefined) throw new TypeError(`no repo ${name}`)
  return repo
}

describe('whoever founds a project', () => {
  test('holds its own repo at once, and its claim is confirmed; so are those of agents that share the daemon', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    for (const name of ['backend-api', 'frontend-app'])
      expect(repoIn(desk, projectId, name).holder, name).toMatchObject({ is_confirmed: true })
  })

  test('signs for a peer that signs nothing itself, and says so', async () => {
    await using desk = await openDesk()
    const peer = { kind: 'peer' as const, agentId: OUTSIDER, repoName: 'plain-api' }
    const created = await desk.send('cacp/project/create', { name: 'P', objective: 'o' }, { caller: peer })
    const { projectId } = created as { projectId: string }
    const reported = { reported_by: 'aid://example.com/backend@1.0.0' }
    expect(desk.store.view.projects.get(projectId)?.project).toMatchObject({
      created_by: OUTSIDER,
      ...reported,
    })
    expect(repoIn(desk, projectId, 'plain-api').holder).toMatchObject({ agent_id: OUTSIDER, ...reported })
  })
})

describe('joining', () => {
  test('brings the agent’s own repo along where nobody has named it', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', {
      name: 'P',
      objective: 'o',
      repos: [{ name: 'other' }],
    })
    await desk.call('cacp/project/join', { projectId })
    expect(repoIn(desk, projectId, 'backend-api')).toMatchObject({
      role: 'backend',
      language: 'python',
      holder: { is_confirmed: true },
    })
    await expect(desk.call('cacp/project/join', { projectId, repoName: 'typo' })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })

  test('again from another place moves the endpoint, and says nothing where that is the same', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    const size = () => desk.store.view.projects.get(projectId)?.said.size
    const again = { projectId, repoName: 'frontend-app', agentEndpoint: 'http://frontend-agent:9000' }
    await frontend('cacp/project/join', again)
    const before = size()
    await frontend('cacp/project/join', again)
    expect(size()).toBe(before)
    expect(repoIn(desk, projectId, 'frontend-app')).toMatchObject({
      endpoint: 'http://frontend-agent:9000',
      role: 'frontend',
    })
  })

  test('a repo that another daemon holds is refused, and says who can settle it', async () => {
    await using desk = await openDesk()
    const { projectId } = await withVacancy(desk)
    await claimFrom(desk, projectId, new Author('mobile'))
    await expect(
      desk.as(OUTSIDER)('cacp/project/join', { projectId, repoName: 'mobile-app' }),
    ).rejects.toMatchObject({ kind: 'conflict', next: expect.stringContaining('cacp/repo/settle') })
  })
})

describe('what the founder settles', () => {
  test('gives a repo to one of those who claimed it, and the other is told', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    const [mallory, mobile] = [new Author('mallory'), new Author('mobile')]
    await claimFrom(desk, projectId, mallory)
    await claimFrom(desk, projectId, mobile)
    expect(repoIn(desk, projectId, 'mobile-app').holder).toMatchObject({ agent_id: 'mallory' })
    const named = { projectId, repoName: 'mobile-app' }
    expect(await backend('cacp/repo/settle', { ...named, holder: 'mobile' })).toMatchObject({
      status: 'settled',
      agentId: 'mobile',
    })
    expect(repoIn(desk, projectId, 'mobile-app').claims).toMatchObject([
      { agent_id: 'mobile', standing: 'holds' },
      { agent_id: 'mallory', standing: 'settled', counts_until: null },
    ])
  })

  test('takes a repo from whoever holds it; what that said until then may go on to count', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    await claimFrom(desk, projectId, new Author('mallory'))
    const until = desk.clock.now()
    const expelled = { projectId, repoName: 'mobile-app', holder: null, until }
    expect(await backend('cacp/repo/settle', expelled)).toMatchObject({ status: 'settled', agentId: null })
    expect(repoIn(desk, projectId, 'mobile-app')).toMatchObject({
      holder: undefined,
      claims: [{ standing: 'settled', counts_until: until }],
    })
    await desk.as(OUTSIDER)('cacp/project/join', { projectId, repoName: 'mobile-app' })
    expect(repoIn(desk, projectId, 'mobile-app').holder).toMatchObject({ agent_id: OUTSIDER })
    // What was settled before is not forgotten by what is settled next.
    await backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: OUTSIDER })
    expect(repoIn(desk, projectId, 'mobile-app').claims).toContainEqual(
      expect.objectContaining({ agent_id: 'mallory', counts_until: until }),
    )
  })

  test('is not undone by one that says, after it was expelled, that it had left before', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    const mallory = new Author('mallory')
    const claim = await claimFrom(desk, projectId, mallory)
    const said = mallory.share(claim, desk.clock.now())
    const beforeThat = desk.clock.now()
    await hear(desk, said)
    const counts = () => desk.store.view.projects.get(projectId)?.packets.get(said.about)?.counts
    expect(counts()).toBe(true)
    await backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: null })
    expect(counts()).toBe(false)
    await hear(desk, mallory.release(claim, beforeThat))
    expect(counts()).toBe(false)
    await claimFrom(desk, projectId, mallory)
    expect(repoIn(desk, projectId, 'mobile-app').holder).toBeUndefined()
  })

  test('brings back what one had said that says since that it had left before', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    const mallory = new Author('mallory')
    const claim = await claimFrom(desk, projectId, mallory)
    const beforeThat = desk.clock.now()
    const said = mallory.share(claim, desk.clock.now())
    await hear(desk, said, mallory.release(claim, beforeThat))
    const counts = () => desk.store.view.projects.get(projectId)?.packets.get(said.about)?.counts
    expect(counts()).toBe(false)
    const settling = { projectId, repoName: 'mobile-app', holder: null }
    expect(await backend('cacp/repo/settle', { ...settling, restore: 'mallory' })).toMatchObject({
      status: 'settled',
    })
    expect(counts()).toBe(true)
    // What was settled before is not forgotten by what is settled next.
    await backend('cacp/repo/settle', settling)
    expect(counts()).toBe(true)
  })

  test('brings back what one had said that says since that it had another key before', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    const mallory = new Author('mallory')
    const claim = await claimFrom(desk, projectId, mallory)
    const beforeThat = desk.clock.now()
    const said = mallory.share(claim, desk.clock.now())
    const until = desk.clock.now()
    await hear(desk, said, mallory.rotate(claim, new Author('later'), { at: beforeThat }))
    const counts = () => desk.store.view.projects.get(projectId)?.packets.get(said.about)?.counts
    expect(counts()).toBe(false)
    const settling = { projectId, repoName: 'mobile-app', holder: null }
    await backend('cacp/repo/settle', { ...settling, restore: claim.id, until })
    expect(counts()).toBe(true)
    await backend('cacp/repo/settle', settling)
    expect(counts()).toBe(true)
  })

  test('leaves alone what one said until it left, also where nobody else is given the repo', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    const mobile = new Author('mobile')
    const claim = await claimFrom(desk, projectId, mobile)
    const said = mobile.share(claim, desk.clock.now())
    await hear(desk, said, mobile.release(claim, desk.clock.now()))
    await backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: null })
    expect(repoIn(desk, projectId, 'mobile-app').claims).toMatchObject([{ standing: 'left' }])
    expect(desk.store.view.projects.get(projectId)?.packets.get(said.about)?.counts).toBe(true)
  })

  test('gives nobody a repo whose words it brings back', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    await claimFrom(desk, projectId, new Author('mobile'))
    await expect(
      backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: 'mobile', restore: 'mobile' }),
    ).rejects.toMatchObject({ kind: 'invalid_params', message: expect.stringContaining('restore') })
  })

  test('names those first that could go on to speak, where more claimed a repo than it has room for', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    const crowd = Array.from({ length: LIMITS.listItems }, (_, index) => new Author(`sybil ${index}`))
    const early = crowd.map((one) => one.claim(projectId, 'mobile-app', desk.clock.now()))
    await hear(desk, ...early)
    const mallory = new Author('mallory')
    const claim = await claimFrom(desk, projectId, mallory)
    await backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: 'mallory' })
    const said = mallory.share(claim, desk.clock.now())
    const beforeThat = desk.clock.now()
    await hear(desk, said)
    await backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: null })
    await hear(desk, mallory.release(claim, beforeThat))
    expect(desk.store.view.projects.get(projectId)?.packets.get(said.about)?.counts).toBe(false)
  })

  test('tells which claims there are where nobody of that name made one', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    const claim = await claimFrom(desk, projectId, new Author('mobile'))
    await expect(
      backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: OUTSIDER }),
    ).rejects.toMatchObject({ kind: 'not_found', next: expect.stringContaining(claim.id) })
    await expect(
      backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: claim.id }),
    ).resolves.toMatchObject({ agentId: 'mobile' })
  })

  test('is for a person to say: not for a peer, nor for an agent without the operator’s key', async () => {
    await using desk = await openDesk()
    const { projectId } = await withVacancy(desk)
    const settling = { projectId, repoName: 'frontend-app', holder: null }
    for (const kind of ['peer', 'open'] as const) {
      const caller = { kind, agentId: OUTSIDER, repoName: 'x' }
      await expect(desk.send('cacp/repo/settle', settling, { caller })).rejects.toMatchObject({
        kind: 'forbidden',
      })
    }
  })

  test('is one vote where it comes from another member, once the founder has confirmed that', async () => {
    await using desk = await openDesk()
    const founder = new Author('founder')
    const founding = founder.found(desk.clock.now())
    const { project_id: projectId } = founding
    const named = founder.nameRepo(founding, 'mobile-app', desk.clock.now())
    await desk.store.commit(() => ({ result: undefined, takes: [founding, named] }))
    await claimFrom(desk, projectId, new Author('mallory'))
    await desk.call('cacp/project/join', { projectId })
    const vote = { projectId, repoName: 'mobile-app', holder: null }
    await expect(desk.call('cacp/repo/settle', vote)).rejects.toMatchObject({
      kind: 'forbidden',
      next: expect.stringContaining('Ask founder'),
    })
    const said = desk.store.view.projects.get(projectId)?.said
    const [own] = said?.saidAbout(repoIdOf(projectId, 'backend-api'), 'claim') ?? []
    const [mallory] = said?.saidAbout(repoIdOf(projectId, 'mobile-app'), 'claim') ?? []
    if (own === undefined || mallory === undefined) throw new TypeError('both have claimed')
    const confirm = (claim: typeof own) => founder.confirm(founding, claim, desk.clock.now())
    await desk.store.commit(() => ({ result: undefined, takes: [confirm(own), confirm(mallory)] }))
    expect(await desk.call('cacp/repo/settle', vote)).toMatchObject({ status: 'voted', agentId: 'mallory' })
  })
})

describe('removing a repo', () => {
  test('takes one out that nobody holds, or that the caller holds itself', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await withVacancy(desk)
    expect(await backend('cacp/project/removeRepo', { projectId, repoName: 'mobile-app' })).toMatchObject({
      status: 'removed',
      repoCount: 2,
    })
    await frontend('cacp/project/removeRepo', { projectId, repoName: 'frontend-app' })
    const { repos } = await backend('cacp/project/get', { projectId })
    expect(repos.map(({ name }) => name)).toEqual(['backend-api'])
    await backend('cacp/project/addRepo', { projectId, name: 'mobile-app' })
    expect((await backend('cacp/project/get', { projectId })).repos).toHaveLength(2)
  })

  test('is refused for one that another daemon holds', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withVacancy(desk)
    await claimFrom(desk, projectId, new Author('mobile'))
    await expect(
      backend('cacp/project/removeRepo', { projectId, repoName: 'mobile-app' }),
    ).rejects.toMatchObject({ kind: 'conflict', next: expect.stringContaining('cacp/repo/release') })
  })
})
