import { describe, expect, test } from 'vitest'
import { agentOf, equalState, eventually, Member } from './member.ts'

/** Two connected daemons, cut apart by stopping one while the other one works, first a and then b. */
async function apart(
  a: Member,
  b: Member,
  { atA, atB }: { atA: () => Promise<unknown>; atB: () => Promise<unknown> },
): Promise<void> {
  await b.stop('SIGTERM')
  await atA()
  await a.stop('SIGTERM')
  await b.startAgain()
  await atB()
  await a.startAgain()
}

/** A project of both, known to both, with each repo held by its agent. */
async function openProject(a: Member, b: Member): Promise<string> {
  await a.connect(b)
  const { projectId } = await a.call('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: [{ name: a.repo }, { name: b.repo }, { name: 'shared-lib' }],
  })
  await eventually(() => b.call('cacp/project/join', { projectId })).toMatchObject({ status: 'joined' })
  return projectId
}

async function propose(a: Member, projectId: string): Promise<{ projectId: string; contractId: string }> {
  const { contractId } = await a.call('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'Me',
    content: { side: 'none' },
    parties: ['a-app', 'b-app'],
  })
  return { projectId, contractId }
}

describe('two daemons that were cut apart', () => {
  test('keep both updates of a contract, show the same winner, and settle it for both', async () => {
    await using a = await Member.start('a')
    await using b = await Member.start('b')
    const ids = await propose(a, await openProject(a, b))
    await equalState([a, b])
    const update = (member: Member) => () =>
      member.call('cacp/contract/update', { ...ids, content: { side: member.name } })
    await apart(a, b, { atA: update(a), atB: update(b) })

    await equalState([a, b])
    for (const member of [a, b]) {
      const contract = await member.call('cacp/contract/get', { ...ids, includeHistory: true })
      expect(contract).toMatchObject({
        version: 2,
        content: { side: 'b' },
        conflicts: [{ version: 2, content: { side: 'a' } }],
      })
      expect(contract.history).toContainEqual(contract.conflicts[0])
    }

    expect(await a.call('cacp/contract/resolve', { ...ids, keep: 'loser' })).toMatchObject({
      version: 3,
      resolved: 1,
    })
    await eventually(() => b.call('cacp/contract/get', ids)).toMatchObject({
      version: 3,
      content: { side: 'a' },
      conflicts: [],
    })
    await equalState([a, b])
    expect((await a.call('cacp/contract/get', ids)).conflicts).toEqual([])
  }, 120_000)

  test('give a repo that was claimed on both sides to one agent, and tell the other', async () => {
    await using a = await Member.start('a')
    await using b = await Member.start('b')
    const projectId = await openProject(a, b)
    await equalState([a, b])
    const [first, second] = [agentOf('first'), agentOf('second')]
    const join = (member: Member, agentId: string) => () =>
      member.call('cacp/project/join', { projectId, repoName: 'shared-lib' }, agentId)
    await apart(a, b, { atA: join(a, first), atB: join(b, second) })

    await equalState([a, b])
    for (const member of [a, b]) {
      const { repos } = await member.call('cacp/project/get', { projectId })
      const shared = repos.find(({ name }: { name: string }) => name === 'shared-lib')
      expect(shared).toMatchObject({
        agent_id: first,
        claims: [{ agent_id: first }, { agent_id: second }],
      })
    }
    const mine = { projectId, question: 'is it mine?' }
    await expect(b.call('cacp/context/askQuestion', mine, second)).rejects.toMatchObject({
      message: expect.stringContaining(`${first} has held it since`),
      data: { kind: 'not_member', heldBy: first },
    })
    await expect(a.call('cacp/context/askQuestion', mine, second)).rejects.toMatchObject({
      data: { kind: 'not_member' },
    })
    const { items } = await b.call('cacp/inbox/list', { projectId }, second)
    expect(items).toMatchObject([{ kind: 'claim_lost', from: { repo: 'shared-lib', agentId: first } }])
    await b.call('cacp/repo/release', { projectId, repoName: 'shared-lib' }, second)
    expect(await b.call('cacp/inbox/list', { projectId }, second)).toMatchObject({ items: [] })
    const question = { projectId, question: 'and mine?' }
    await a.call('cacp/context/askQuestion', question, first)
    await expect(b.call('cacp/context/askQuestion', question, first)).rejects.toMatchObject({
      message: expect.stringContaining(first),
    })
  }, 120_000)

  test('end implemented when each completes its part', async () => {
    await using a = await Member.start('a')
    await using b = await Member.start('b')
    const ids = await propose(a, await openProject(a, b))
    await eventually(() => b.call('cacp/contract/respond', { ...ids, action: 'agree' })).toMatchObject({
      status: 'agreed',
    })
    await equalState([a, b])
    const complete = (member: Member) => async () => {
      await member.call('cacp/implementation/start', ids)
      expect(await member.call('cacp/implementation/complete', { ...ids, files: [] })).toMatchObject({
        contractStatus: 'agreed',
      })
    }
    await apart(a, b, { atA: complete(a), atB: complete(b) })
    await equalState([a, b])
    for (const member of [a, b])
      expect(await member.call('cacp/contract/get', ids)).toMatchObject({ status: 'implemented' })
  }, 120_000)
})
