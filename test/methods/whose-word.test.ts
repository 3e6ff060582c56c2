import { describe, expect, test } from 'vitest'
import type { Peer } from '../../src/domain/model.ts'
import { Author } from '../domain/statements/author.ts'
import { BACKEND, type Desk, OUTSIDER, openDesk, openFeature } from '../support/desk/desk.ts'
import { hear } from '../support/desk/inbox-scenes.ts'

/** The daemon of another agent claims a repo that nobody named, and shares something. */
async function hearFromElsewhere(desk: Desk, projectId: string) {
  const other = new Author(OUTSIDER)
  const claim = other.claim(projectId, 'mobile-app', desk.clock.now())
  const packet = other.share(claim, desk.clock.now())
  await hear(desk, claim, packet)
  return { packet, claim, other }
}

/** It was let in once, and is not any more. */
async function revoke(desk: Desk, agentId: string): Promise<void> {
  const peer = {
    agent_id: agentId,
    endpoint: 'http://127.0.0.1:1',
    repo_name: 'mobile-app',
    trust: 'revoked',
  }
  const value = { ...peer, registered_at: desk.clock.now(), last_seen: desk.clock.now() } as Peer
  await desk.store.commit(() => ({ result: null, local: [{ table: 'peer', id: agentId, value }] }))
}

describe('whose word something is', () => {
  test('is told with every packet: which statement it is, and that its author signed it', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    await backend('cacp/context/share', { projectId, type: 'decision', content: { text: 'JWT' } })
    const { packets } = await backend('cacp/context/list', { projectId })
    expect(packets.map(({ by }) => by)).toEqual([
      { statement: expect.stringMatching(/^[0-9a-f]{64}$/), agent_id: BACKEND, proof: 'signed' },
    ])
  })

  test('is told with a reservation while the founder has not confirmed its claim, and when it is revoked here', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const { packet } = await hearFromElsewhere(desk, projectId)
    const by = { statement: packet.id, agent_id: OUTSIDER, proof: 'signed', mark: 'unconfirmed' }
    const read = () => backend('cacp/context/list', { projectId })
    expect((await read()).packets).toMatchObject([{ packet_id: packet.about, by }])
    await revoke(desk, OUTSIDER)
    expect((await read()).packets[0]?.by).toEqual({ ...by, revoked: true })
    const { thread } = await backend('cacp/context/getThread', { projectId, packetId: packet.about })
    expect(thread[0]?.by).toEqual({ ...by, revoked: true })
  })

  test('stays visible with its mark when its claim was settled away, and counts for nothing', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { other, claim, packet } = await hearFromElsewhere(desk, projectId)
    const { packetId } = await backend('cacp/context/askQuestion', { projectId, question: 'JWT?' })
    const kinds = async () => (await frontend('cacp/inbox/list', {})).items.map(({ kind }) => kind)
    expect(await kinds()).toEqual(['answer_question'])
    const at = desk.clock.now()
    const decided = other.under(claim, {
      kind: 'packet',
      about: other.share(claim, at, { nonce: 'A'.repeat(22) }).about,
      at,
      body: { type: 'decision', related_contracts: [], reply_to: packetId, nonce: 'A'.repeat(22) },
      content: { decision: 'no' },
    })
    await hear(desk, decided)
    expect(await kinds()).toEqual([])
    await backend('cacp/repo/settle', { projectId, repoName: 'mobile-app', holder: null })
    expect(await kinds()).toEqual(['answer_question'])
    const { packets } = await backend('cacp/context/list', { projectId })
    const marks = packets.map(({ packet_id, by }) => [packet_id, by.mark])
    expect(marks).toContainEqual([packet.about, 'settled'])
    expect(marks).toContainEqual([decided.about, 'settled'])
  })

  test('is told that nobody signed it but who heard it, where an agent signs nothing itself', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const reporter = new Author(OUTSIDER)
    const { about, at, body } = reporter.claim(projectId, 'mobile-app', desk.clock.now())
    const claim = reporter.say({
      ...{ project_id: projectId, kind: 'claim', about, at },
      body: { ...body, agent_id: 'python', reported_by: OUTSIDER },
    })
    await hear(desk, claim, reporter.share(claim, desk.clock.now()))
    const { packets } = await backend('cacp/context/list', { projectId })
    expect(packets).toMatchObject([
      { from_agent: 'python', by: { agent_id: 'python', proof: 'reported', reported_by: OUTSIDER } },
    ])
  })
})
