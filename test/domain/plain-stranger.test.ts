import { describe, expect, test } from 'vitest'
import { BACKEND, FRONTEND, openDesk, openFeature } from '../support/desk.ts'

const asPlain = { caller: { kind: 'peer' as const, agentId: FRONTEND, repoName: 'frontend-app' } }

/** An agreed contract, and the project as a plain peer holds it that took it while it was proposed. */
async function agreedHere() {
  const desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const proposal = { projectId, type: 'custom' as const, name: 'C', content: { v: 1 } }
  const { contractId } = await backend('cacp/contract/propose', proposal)
  const { stamps: _, ...project } = await backend('cacp/project/get', { projectId })
  const full = { projectId, contractId, includeHistory: true }
  const { head: _h, ...contract } = await backend('cacp/contract/get', full)
  await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
  desk.clock.advance(60)
  const updated_at = desk.clock.now().slice(0, -1)
  const plainContract = { ...contract, updated_at }
  const repos = project.repos.map(({ claims: _c, ...repo }) => repo)
  const plainProject = { ...project, repos, contracts: [plainContract], updated_at }
  const now = () => backend('cacp/project/get', { projectId })
  return { desk, projectId, contractId, contract: plainContract, project: plainProject, now }
}

describe('a plain object of a peer that is not known to be plain yet', () => {
  test('a copy with other times changes nothing', async () => {
    const { desk, projectId, contract, project, now } = await agreedHere()
    await using _ = desk
    const before = await now()
    const sent = { projectId, contract, source_agent: FRONTEND }
    expect(await desk.send('cacp/contract/sync', sent, asPlain)).toMatchObject({ status: 'skipped' })
    expect(await desk.send('cacp/project/sync', { project }, asPlain)).toMatchObject({ status: 'skipped' })
    expect(await now()).toEqual(before)
    expect(before.contracts).toMatchObject([{ status: 'agreed' }])
  })

  test('what it does after that is its doing', async () => {
    const { desk, projectId, contract, now } = await agreedHere()
    await using _ = desk
    const send = (given: object) =>
      desk.send('cacp/contract/sync', { projectId, contract: { ...contract, ...given } }, asPlain)
    await send({ status: 'agreed' })
    const updated_at = desk.clock.now().slice(0, -1)
    expect(await send({ status: 'proposed', updated_at })).toMatchObject({ status: 'updated' })
    expect((await now()).contracts).toMatchObject([
      { status: 'negotiating', responses: [{ action: 'agree' }, { action: 'reject', agent_id: FRONTEND }] },
    ])
  })

  test('a repo that it shows as it is here keeps its claim', async () => {
    const { desk, projectId, project, now } = await agreedHere()
    await using _ = desk
    const [repo] = project.repos
    expect(await desk.send('cacp/repo/sync', { projectId, repo }, asPlain)).toMatchObject({
      status: 'skipped',
    })
    expect((await now()).repos[0]).toMatchObject({ assigned_agent: BACKEND })
  })
})
