import { describe, expect, test } from 'vitest'
import type { RepoForm, Shadow } from '../../src/domain/model.ts'
import { ownRepoForm } from '../../src/domain/plain/form.ts'
import { toPlainContract, toPlainPacket, toPlainProject, toPlainRepo } from '../../src/domain/plain/phrase.ts'
import { acknowledging, isDue, recordReceived, sending } from '../../src/domain/plain/shadow.ts'
import { EARLIEST } from '../../src/protocol/stamp.ts'
import { contractModel, packetModel, projectModel, repoModel } from '../support/plain-peer/models.ts'
import { openPlainDesk, PLAIN, type PlainDesk } from '../support/plain-peer/plain-desk.ts'
import { at, EMPTY_VIEW, packet, repo, throughJson, viewOf } from './builders.ts'

const OTHER = 'aid://example.com/other@1.0.0'
const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/
const asHere = (repoId: string) => repoId

function stampsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stampsIn) : []
}

/** A project with a contract of two versions and work on it, and a packet. */
async function openStory(): Promise<PlainDesk> {
  const desk = await openPlainDesk()
  await desk.know()
  await desk.show(desk.held({ status: 'agreed' }))
  await desk.act('cacp/implementation/start', { plan: 'p' })
  await desk.act('cacp/implementation/complete', { files: ['a.ts'] })
  await desk.act('cacp/contract/update', { content: { v: 2 } })
  await desk.act('cacp/context/askQuestion', { question: '?' })
  return desk
}

describe('what is said to a plain peer', () => {
  test('has the keys that the reference knows, and no others', async () => {
    await using desk = await openStory()
    const { repos, contracts, packets } = desk.found()
    const [first] = packets.oldestFirst()
    const [own] = repos.oldestFirst()
    if (first === undefined || own === undefined) throw new Error('there is a packet and a repo')
    const [contract] = contracts.oldestFirst()
    if (contract === undefined) throw new Error('there is a contract')
    for (const [model, phrased, more] of [
      [repoModel, toPlainRepo(own, asHere), ['agent_id']],
      [contractModel, toPlainContract(contract, asHere), []],
      [packetModel, toPlainPacket(first, asHere), []],
    ] as const) {
      const read = model.parse(throughJson(phrased)) as object
      expect(Object.keys(read).concat(more).sort()).toEqual(Object.keys(phrased).sort())
    }
  })

  test('is a project that the reference can read, with naive times however deep', async () => {
    await using desk = await openStory()
    const whole = toPlainProject(desk.found(), asHere, { isWhole: true })
    expect(projectModel.safeParse(throughJson(whole)).success).toBe(true)
    const stamps = stampsIn(whole)
    expect(stamps.length).toBeGreaterThan(7)
    expect(stamps.filter((stamp) => !NAIVE.test(stamp))).toEqual([])
  })

  test('never takes the place of a project that the peer has', async () => {
    await using desk = await openStory()
    expect(toPlainProject(desk.found(), asHere, { isWhole: true }).updated_at < '1970-01-02').toBe(true)
  })

  test('work on an earlier version is to be done again', async () => {
    await using desk = await openStory()
    expect(toPlainContract(desk.contract(), asHere)).toMatchObject({
      version: 2,
      status: 'proposed',
      implementations: [{ status: 'needs_revision', files: ['a.ts'] }],
    })
  })

  test('calls a repo by the id that it has there', async () => {
    await using desk = await openStory()
    const { history, proposed_by } = toPlainContract(desk.contract(), (repoId) => `their ${repoId}`)
    expect([proposed_by, history[0]?.proposed_by]).toEqual(Array(2).fill(`their ${desk.backendRepo}`))
  })
})

describe('a repo that a plain peer shows', () => {
  const show = async (desk: PlainDesk, repoId: string, changes: object) => {
    const here = desk.found().repos.get(repoId)
    if (here === undefined) throw new Error('there is no such repo')
    return desk.send('cacp/repo/sync', { repo: { ...toPlainRepo(here, asHere), ...changes } })
  }
  const repoAt = (desk: PlainDesk, repoId: string) => desk.found().repos.get(repoId)

  test('with a claim of its own is claimed, as reported', async () => {
    await using desk = await openPlainDesk()
    expect(repoAt(desk, desk.plainRepo)).toMatchObject({
      endpoint: 'http://plain:1',
      holder: { agent_id: PLAIN, reported_by: 'aid://example.com/backend@1.0.0', is_confirmed: true },
    })
  })

  test('as it was sent changes nothing', async () => {
    await using desk = await openPlainDesk()
    for (const repoId of [desk.plainRepo, desk.backendRepo]) {
      const before = repoAt(desk, repoId)
      expect(await show(desk, repoId, {})).toMatchObject({ status: 'skipped' })
      expect(repoAt(desk, repoId)).toBe(before)
    }
  })

  test('with a claim that comes second stays with the first', async () => {
    await using desk = await openPlainDesk()
    await show(desk, desk.backendRepo, { agent_id: PLAIN, assigned_agent: PLAIN })
    expect(repoAt(desk, desk.backendRepo)?.claims).toMatchObject([
      { agent_id: 'aid://example.com/backend@1.0.0' },
    ])
  })

  test('without a claim of others is not released', async () => {
    await using desk = await openPlainDesk()
    await desk.know({ kind: 'repo', id: desk.backendRepo })
    await show(desk, desk.backendRepo, { agent_id: null, assigned_agent: null, agent_endpoint: null })
    expect(repoAt(desk, desk.backendRepo)?.holder).toBeDefined()
  })

  test('without the claim that it had is released', async () => {
    await using desk = await openPlainDesk()
    const before = repoAt(desk, desk.plainRepo)
    await show(desk, desk.plainRepo, { agent_id: null, assigned_agent: null, agent_endpoint: null })
    expect(repoAt(desk, desk.plainRepo)?.holder).toBeUndefined()
    expect(before?.holder?.agent_id).toBe(PLAIN)
  })

  test('with a claim of somebody who made none here is not taken', async () => {
    await using desk = await openPlainDesk()
    await desk.desk.call('cacp/project/addRepo', { projectId: desk.projectId, name: 'free-api' })
    const [free] = [...desk.found().repos.oldestFirst()].filter(({ name }) => name === 'free-api')
    expect(await show(desk, free?.repo_id ?? '', { agent_id: OTHER, assigned_agent: OTHER })).toMatchObject({
      status: 'error',
      kind: 'forbidden',
      reason: expect.stringContaining(`the claim of ${OTHER}`),
    })
    expect(repoAt(desk, free?.repo_id ?? '')?.holder).toBeUndefined()
  })

  test('at another endpoint has moved, and described otherwise is described anew', async () => {
    await using desk = await openPlainDesk()
    await show(desk, desk.plainRepo, { agent_endpoint: 'http://b:2', language: 'rust' })
    expect(repoAt(desk, desk.plainRepo)).toMatchObject({ endpoint: 'http://b:2', language: 'rust' })
  })

  test('is described by whoever holds it alone', async () => {
    await using desk = await openPlainDesk()
    await desk.know({ kind: 'repo', id: desk.backendRepo })
    const before = repoAt(desk, desk.backendRepo)
    await show(desk, desk.backendRepo, { language: 'rust' })
    expect(repoAt(desk, desk.backendRepo)).toBe(before)
  })
})

describe('what a plain peer is known to hold', () => {
  const found = viewOf({ repos: [repo()], packets: [packet()] })
  const name = { kind: 'repo', project_id: 'p1', id: repo().repo_id } as const
  const form: RepoForm = ownRepoForm(repo())
  const holding = (value: Shadow | null) => ({
    ...EMPTY_VIEW,
    shadows: { ...EMPTY_VIEW.shadows, get: () => value ?? undefined },
  })

  test('is due until it is shown or acknowledged, and again when it changes', () => {
    expect(isDue(name, found, undefined)).toBe(true)
    const sent = sending(EMPTY_VIEW, PLAIN, name, form).value as Shadow
    expect(isDue(name, found, sent)).toBe(true)
    const [acknowledged] = acknowledging(holding(sent), PLAIN, name, form)
    expect(isDue(name, found, acknowledged?.value as Shadow)).toBe(false)
    const changed = viewOf({ repos: [repo({ role: 'mobile' })] })
    expect(isDue(name, changed, acknowledged?.value as Shadow)).toBe(true)
  })

  test('a packet is sent once, whatever becomes of it', () => {
    const shown = { kind: 'packet', hash: 'another' } as const
    const shadow: Shadow = { agent_id: PLAIN, shown, sent: null, at: EARLIEST }
    const packetName = { kind: 'packet', project_id: 'p1', id: packet().packet_id } as const
    expect(isDue(packetName, found, undefined)).toBe(true)
    expect(isDue(packetName, found, shadow)).toBe(false)
  })

  test('a packet whose content was taken away is not sent', () => {
    const redacted = viewOf({ packets: [packet({ content: null })] })
    expect(isDue({ kind: 'packet', project_id: 'p1', id: 'k1' }, redacted, undefined)).toBe(false)
  })

  test('what it shows while something is on its way to it is remembered beside that', () => {
    const sent = sending(EMPTY_VIEW, PLAIN, name, form).value as Shadow
    const other = { ...form, agent: PLAIN }
    const [shown] = recordReceived(sent, { agentId: PLAIN, name, form: other, at: at(3) })
    expect(shown?.value).toMatchObject({ shown: other, sent: form, at: at(3) })
    const [again] = recordReceived(shown?.value as Shadow, { agentId: PLAIN, name, form, at: at(4) })
    expect(again?.value).toMatchObject({ shown: form, sent: null })
    expect(acknowledging(holding(again?.value as Shadow), PLAIN, name, form)).toEqual([])
    expect(recordReceived(again?.value as Shadow, { agentId: PLAIN, name, form, at: at(4) })).toEqual([])
  })

  test('the id that a repo has there is remembered through all that', () => {
    const [shown] = recordReceived(undefined, { agentId: PLAIN, name, form, idThere: 'theirs' })
    const view = holding(shown?.value as Shadow)
    expect(sending(view, PLAIN, name, form).value).toMatchObject({ id_there: 'theirs' })
    const sent = sending(view, PLAIN, name, { ...form, agent: PLAIN }).value as Shadow
    expect(acknowledging(holding(sent), PLAIN, name, { ...form, agent: PLAIN })[0]?.value).toMatchObject({
      id_there: 'theirs',
    })
  })
})
