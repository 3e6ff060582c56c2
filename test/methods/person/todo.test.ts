import { expect, test } from 'vitest'
import type { ResultOf } from '../../../src/methods/table.ts'
import { FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'
import { forkContract } from '../../support/desk/forked-contract.ts'
import { outvoted } from '../../support/desk/inbox-scenes.ts'

type Todo = ResultOf<'cacp/person/todo'>

const kindsOf = ({ person }: Todo) => person.map(({ kind }) => kind)

test('what the agent has to do becomes overdue, and counts for a person from then on', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const contract = { projectId, type: 'custom' as const, name: 'Login', content: {} }
  const { contractId } = await frontend('cacp/contract/propose', contract)
  await backend('cacp/context/askQuestion', { projectId, question: 'JWT or cookies?' })
  expect(await backend('cacp/person/todo', {})).toMatchObject({
    person: [],
    agent: [
      {
        kind: 'answer_contract',
        about: { name: 'Login' },
        from: { repo: 'frontend-app', agentId: FRONTEND, trust: 'unknown' },
        overdue: false,
      },
    ],
    waiting: [{ projectName: 'User Auth Feature', about: { name: 'JWT or cookies?' }, for: 'answer it' }],
    counts: { person: 0, agent: 1, overdue: 0, waiting: 1, total: 0 },
    more: false,
  })
  desk.clock.advance(61 * 60)
  expect(await backend('cacp/person/todo', { limit: 0 })).toMatchObject({
    agent: [],
    waiting: [],
    counts: { agent: 1, overdue: 1, total: 1 },
  })
  // An objection is the agent's own word: nobody waits for it to act on that.
  await backend('cacp/contract/respond', { projectId, contractId, action: 'reject', comment: 'no' })
  desk.clock.advance(61 * 60)
  const { agent, counts } = await backend('cacp/person/todo', {})
  expect(agent).toMatchObject([{ kind: 'answer_contract', urgency: 'low', overdue: false }])
  expect(counts).toMatchObject({ overdue: 0, total: 0 })
})

test('a conflict is for the agents at first, and for a person when it gets old', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const contract = { projectId, type: 'custom' as const, name: 'Login', content: {} }
  const { contractId } = await backend('cacp/contract/propose', contract)
  await backend('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
  await forkContract(desk, { projectId, contractId, repoName: 'frontend-app', content: { v: 3 } })
  const young = await backend('cacp/person/todo', {})
  expect([kindsOf(young), young.agent.map(({ kind }) => kind)]).toEqual([[], ['resolve_conflict']])
  desk.clock.advance(61 * 60)
  const old = await backend('cacp/person/todo', {})
  expect(old).toMatchObject({
    person: [
      {
        kind: 'resolve_conflict',
        name: 'Login',
        about: { kind: 'contract', id: contractId },
        projectName: 'User Auth Feature',
        next: { method: 'cacp/contract/resolve' },
      },
    ],
    agent: [],
    counts: { person: 1, agent: 0, overdue: 0, total: 1 },
  })
})

test('a claim that was lost is for a person at once', async () => {
  await using desk = await openDesk()
  const { frontend } = await openFeature(desk)
  const { projectId } = await outvoted({ desk, frontend })
  const todo = await frontend('cacp/person/todo', { projectId })
  expect(todo).toMatchObject({
    person: [{ kind: 'claim_lost', projectId, next: { method: 'cacp/repo/release' } }],
    agent: [],
    counts: { person: 1, total: 1 },
  })
})

test('looking is not the agent’s looking: nobody is told that it saw anything', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const contract = { projectId, type: 'custom' as const, name: 'Login', content: {} }
  const { contractId } = await frontend('cacp/contract/propose', contract)
  await backend('cacp/person/todo', {})
  expect(desk.store.view.projects.get(projectId)?.sightingsOf(contractId)).toEqual([])
})

test('counts by status, conflicts and open questions of a project are those of its parts', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const propose = async (name: string) =>
    (await backend('cacp/contract/propose', { projectId, type: 'custom', name, content: {} })).contractId
  const [agreed, forked, gone] = [await propose('a'), await propose('b'), await propose('c')]
  await frontend('cacp/contract/respond', { projectId, contractId: agreed, action: 'agree' })
  await backend('cacp/contract/update', { projectId, contractId: forked, content: { v: 2 } })
  await forkContract(desk, { projectId, contractId: forked, repoName: 'frontend-app', content: { v: 3 } })
  await backend('cacp/contract/withdraw', { projectId, contractId: gone })
  const asked = await backend('cacp/context/askQuestion', { projectId, question: 'one?' })
  await backend('cacp/context/askQuestion', { projectId, question: 'another?' })
  const details = async () => (await backend('cacp/project/overview', { details: true })).projects[0]
  const counts = {
    contractsByStatus: { proposed: 1, negotiating: 0, agreed: 1, implemented: 0, verified: 0 },
    conflicts: 1,
  }
  expect(await details()).toMatchObject({ ...counts, openQuestions: 2 })
  await frontend('cacp/context/recordDecision', {
    projectId,
    decision: 'one?',
    chosen: 'yes',
    rationale: 'so',
    replyTo: asked.packetId,
  })
  expect(await details()).toMatchObject({ ...counts, openQuestions: 1 })
  expect((await backend('cacp/project/overview', {})).projects[0]).not.toHaveProperty('conflicts')
})
