import { describe, expect, test } from 'vitest'
import { shadowOf } from '../../src/domain/plain/shadow.ts'
import { docPacket } from '../domain/doc-objects.ts'
import { Author } from '../domain/statements/author.ts'
import { BACKEND, openDesk } from '../support/desk/desk.ts'
import { approve, asPlain, openPlainDesk, PLAIN, type PlainDesk } from '../support/plain-peer/plain-desk.ts'
import { keyNamed } from '../support/simulated/identity.ts'

const THIRD = 'aid://example.com/third@1.0.0'
const as = (agentId: string, repoName: string) => ({
  caller: { kind: 'peer' as const, agentId, repoName },
})

const HANDOVERS: [string, object][] = [
  ['cacp/project/sync', { project: {} }],
  ['cacp/contract/sync', { projectId: 'p', contract: {} }],
  ['cacp/context/sync', { projectId: 'p', packet: {} }],
  ['cacp/repo/sync', { projectId: 'p', repo: {} }],
]

/** A third repo, held by an agent at the desk, beside that of the plain peer. */
async function withThird(): Promise<PlainDesk & { third: string }> {
  const at = await openPlainDesk()
  await at.desk.call('cacp/project/addRepo', { projectId: at.projectId, name: 'third-api' })
  await at.desk.as(THIRD)('cacp/project/join', { projectId: at.projectId, repoName: 'third-api' })
  const parties = ['backend-api', 'plain-api', 'third-api']
  await at.act('cacp/contract/update', { content: { v: 2 }, parties })
  const [third] = [...at.found().repos.oldestFirst()].filter(({ name }) => name === 'third-api')
  return Object.assign(at, { third: third?.repo_id ?? '' })
}

const shown = (at: PlainDesk) =>
  at.desk.call('cacp/contract/get', {
    projectId: at.projectId,
    contractId: at.contractId,
    includeHistory: true,
  })

describe('whoever hands something over', () => {
  test.each(HANDOVERS)('does so in its own name (%s)', async (method, params) => {
    await using desk = await openDesk()
    const sent = { ...params, source_agent: BACKEND }
    expect(await desk.send(method, sent, asPlain)).toMatchObject({
      status: 'error',
      kind: 'forbidden',
      reason: `source_agent: ${PLAIN} cannot send in the name of ${BACKEND}`,
    })
  })

  test.each(HANDOVERS)(
    'and signs what it says is told to send its statements (%s)',
    async (method, params) => {
      await using at = await withThird()
      await approve(at.desk, THIRD, { identity: keyNamed(THIRD) })
      const before = [...at.found().said].length
      const sent = { ...params, projectId: at.projectId, contract: at.held({ status: 'agreed' }) }
      expect(await at.desk.send(method, sent, as(THIRD, 'third-api'))).toMatchObject({
        status: 'error',
        kind: 'forbidden',
        reason: expect.stringContaining('cacp/sync/statements'),
      })
      expect([...at.found().said]).toHaveLength(before)
    },
  )

  test.each(HANDOVERS)('is not the agent of this daemon (%s)', async (method, params) => {
    await using desk = await openDesk()
    expect(await desk.send(method, params)).toMatchObject({ status: 'error', kind: 'forbidden' })
  })

  test('is not heard in a project that it may not see', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', {
      name: 'P',
      objective: 'o',
      visibility: 'members',
    })
    const project = await desk.call('cacp/project/get', { projectId })
    const hidden = { status: 'error', kind: 'unknown_project' }
    const [repo] = project.repos
    for (const [method, params] of [
      ['cacp/project/sync', { project: { ...project, name: 'mine' } }],
      ['cacp/repo/sync', { projectId, repo: { ...repo, name: 'plain-api' } }],
      ['cacp/contract/sync', { projectId, contract: {} }],
      ['cacp/context/sync', { projectId, packet: {} }],
    ] as const)
      expect(await desk.send(method, params, asPlain), method).toMatchObject(hidden)
    expect(await desk.call('cacp/project/get', { projectId })).toEqual(project)
  })
})

describe('a peer that knows the document only', () => {
  const work = (repo_id: string, agent_id: string) => ({
    repo_id,
    agent_id,
    status: 'in_progress' as const,
    files: [],
    notes: '',
    plan: 'a plan',
    test_endpoint: null,
    started_at: '2026-11-16T09:00:00.000000',
    completed_at: null,
  })

  test('answers, works, shares and proposes for its own repo, as reported', async () => {
    await using at = await openPlainDesk()
    await at.know()
    expect(await at.show(at.held({ status: 'agreed' }))).toMatchObject({ status: 'updated' })
    const implementations = [work(at.plainRepo, PLAIN)]
    expect(await at.show(at.held({ implementations }))).toMatchObject({ status: 'updated' })
    expect(await shown(at)).toMatchObject({
      status: 'agreed',
      responses: [{ action: 'agree', agent_id: PLAIN, by: { proof: 'reported', reported_by: BACKEND } }],
      implementations: [{ repo_id: at.plainRepo, status: 'in_progress', by: { reported_by: BACKEND } }],
    })
    const packet = docPacket({ from_repo: at.plainRepo, from_agent: PLAIN })
    expect(await at.send('cacp/context/sync', { packet })).toMatchObject({ status: 'created' })
    const own = {
      ...at.held(),
      contract_id: 'own',
      proposed_by: at.plainRepo,
      implementations: [],
      history: [],
    }
    expect(await at.show(own)).toMatchObject({ status: 'created', contractId: 'own', version: 1 })
  })

  test('changes nothing of another repo; its own part of the same object is taken', async () => {
    await using at = await withThird()
    await at.know()
    const implementations = [work(at.plainRepo, PLAIN), work(at.third, THIRD)]
    await at.show(at.held({ status: 'agreed', implementations }))
    expect(at.contract().answers).toMatchObject([{ agent_id: PLAIN }])
    expect(at.contract().history.works).toMatchObject([{ repo_id: at.plainRepo }])
  })

  test('writes no version in the name of another repo, and none on top of such a one', async () => {
    await using at = await withThird()
    await at.know()
    const now = await shown(at)
    const { version, content, proposed_by, history, created_at: timestamp } = at.held()
    const entry = { version, content, proposed_by, timestamp, change_notes: '' }
    const forged = { version: 3, content: { v: 3 }, proposed_by: at.third }
    expect(await at.show(at.held({ ...forged, history: [...history, entry] }))).toMatchObject({
      kind: 'forbidden',
      reason: expect.stringContaining(`version 3 by repo ${at.third}`),
    })
    const onTop = { version: 4, content: { v: 4 }, proposed_by: at.plainRepo }
    const past = [...history, entry, { ...forged, timestamp, change_notes: '' }]
    expect(await at.show(at.held({ ...onTop, history: past }))).toMatchObject({ kind: 'forbidden' })
    expect(await shown(at)).toEqual(now)
    const own = { version: 3, content: { v: 3 }, proposed_by: at.plainRepo, history: [...history, entry] }
    expect(await at.show(at.held(own))).toMatchObject({ status: 'updated', version: 3 })
  })

  test('renames nothing, and makes nothing older or smaller', async () => {
    await using at = await withThird()
    await at.know()
    const now = await shown(at)
    const lies = {
      name: 'Mine',
      type: 'api_endpoint' as const,
      created_at: '2020-01-01T00:00:00.000000',
      created_by: at.plainRepo,
      parties: [at.plainRepo],
    }
    await at.show({ ...at.held(), ...lies })
    expect(await shown(at)).toEqual(now)
    const project = await at.desk.call('cacp/project/get', { projectId: at.projectId })
    const older = { visibility: 'members', created_at: '2020-01-01T00:00:00', created_by: PLAIN }
    await at.send('cacp/project/sync', { project: { ...project, ...older } })
    expect(await at.desk.call('cacp/project/get', { projectId: at.projectId })).toEqual(project)
  })

  test('proposes no contract and shares no packet for another repo', async () => {
    await using at = await withThird()
    expect(await at.show({ ...at.held(), contract_id: 'forged' })).toMatchObject({
      status: 'error',
      kind: 'forbidden',
    })
    const forged = docPacket({ packet_id: 'forged', from_repo: at.third, from_agent: THIRD })
    const own = docPacket({ packet_id: 'own', from_repo: at.plainRepo })
    const project = await at.desk.call('cacp/project/get', { projectId: at.projectId })
    const sent = { ...project, contracts: [], context_history: [forged, own] }
    expect(await at.send('cacp/project/sync', { project: sent })).toMatchObject({
      status: 'updated',
      refused: [{ kind: 'packet', id: 'forged' }],
    })
    const { packets } = await at.desk.call('cacp/context/list', { projectId: at.projectId })
    expect(packets.map((one) => one.packet_id)).toEqual(['own'])
  })

  test('takes no packet of others away, and changes none', async () => {
    await using at = await openPlainDesk()
    await at.act('cacp/context/share', { type: 'decision', content: { text: 'ours' } })
    const [packet] = (await at.desk.call('cacp/context/list', { projectId: at.projectId })).packets
    const redacted = { by: PLAIN, at: packet?.timestamp, reason: 'no' }
    await at.send('cacp/context/sync', { packet: { ...packet, content: {}, redacted } })
    expect((await at.desk.call('cacp/context/list', { projectId: at.projectId })).packets).toEqual([packet])
  })

  test('is reported by the daemon that claimed its repo, and by nobody else', async () => {
    await using at = await openPlainDesk()
    const other = new Author('another daemon')
    const { desk, projectId } = at
    await desk.call('cacp/project/addRepo', { projectId, name: 'far-api' })
    const claim = other.claim(projectId, 'far-api', desk.clock.now(), 'agent-far')
    await desk.store.commit(() => ({ result: undefined, takes: [claim] }))
    await approve(desk, 'agent-far')
    await at.act('cacp/contract/update', { content: { v: 2 }, parties: ['backend-api', 'far-api'] })
    const asFar = as('agent-far', 'far-api')
    const said = [...at.found().said].length
    const contract = at.held({ status: 'agreed' })
    const refused = {
      status: 'error',
      kind: 'forbidden',
      reason: expect.stringContaining('reported by another daemon'),
    }
    expect(await desk.send('cacp/contract/sync', { projectId, contract }, asFar)).toMatchObject(refused)
    const packet = docPacket({ from_repo: claim.about })
    expect(await desk.send('cacp/context/sync', { projectId, packet }, asFar)).toMatchObject(refused)
    expect([...at.found().said]).toHaveLength(said)
    // It is looked at again, and written over by nobody here.
    const name = { kind: 'contract', project_id: projectId, id: at.contractId } as const
    expect(shadowOf(desk.store.view, 'agent-far', name)).toBeUndefined()
    expect(await desk.send('cacp/contract/sync', { projectId, contract: at.held() }, asFar)).toMatchObject({
      status: 'skipped',
    })
  })

  test('that is no member has no say in a contract', async () => {
    await using at = await openPlainDesk()
    const now = await shown(at)
    const stranger = as('aid://example.com/stranger@1.0.0', 'stranger-api')
    const contract = at.held({ status: 'agreed' })
    await at.desk.send('cacp/contract/sync', { projectId: at.projectId, contract }, stranger)
    expect(await shown(at)).toEqual(now)
  })
})
