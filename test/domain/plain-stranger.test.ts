import { describe, expect, test } from 'vitest'
import { toPlainProject, toPlainRepo } from '../../src/domain/plain/phrase.ts'
import { naive, openPlainDesk, PLAIN, type PlainDesk } from '../support/plain-peer/plain-desk.ts'

/** An agreed contract, and the project as a plain peer holds it that took it while it was proposed. */
async function agreedHere() {
  const at = await openPlainDesk()
  const project = toPlainProject(at.found(), (repoId) => repoId, { isWhole: true })
  const contract = at.held()
  await at.send('cacp/contract/sync', { contract: at.held({ status: 'agreed' }) })
  return { at, project, contract }
}

const later = ({ desk }: PlainDesk) => {
  desk.clock.advance(60)
  return naive(desk.clock.now())
}

describe('a peer of which nothing is known yet', () => {
  test('that shows a contract as agreed agrees to it for its own repo', async () => {
    const { at } = await agreedHere()
    await using _ = at
    expect(at.contract()).toMatchObject({ status: 'agreed', answers: [{ agent_id: PLAIN, action: 'agree' }] })
  })

  test('and shows a whole project as it is here changes nothing', async () => {
    const at = await openPlainDesk()
    await using _ = at
    const project = toPlainProject(at.found(), (repoId) => repoId, { isWhole: true })
    const before = at.found()
    expect(
      await at.send('cacp/project/sync', { project: { ...project, updated_at: later(at) } }),
    ).toMatchObject({ status: 'skipped' })
    expect([...at.found().contracts.oldestFirst()]).toEqual([...before.contracts.oldestFirst()])
    expect(at.found().project).toBe(before.project)
  })

  test('what it does after that is its doing', async () => {
    const { at, contract } = await agreedHere()
    await using _ = at
    expect(await at.show({ ...contract, status: 'proposed', updated_at: later(at) })).toMatchObject({
      status: 'updated',
    })
    expect(at.contract().status).toBe('negotiating')
    expect(at.contract().history.answers).toMatchObject([
      { action: 'agree', agent_id: PLAIN },
      { action: 'reject', agent_id: PLAIN },
    ])
  })

  test('keeps a claim that it shows as it is here', async () => {
    const { at } = await agreedHere()
    await using _ = at
    const repo = at.found().repos.get(at.backendRepo)
    if (repo === undefined) throw new Error('the desk has a repo')
    expect(await at.send('cacp/repo/sync', { repo: toPlainRepo(repo, (id) => id) })).toMatchObject({
      status: 'skipped',
    })
    expect(at.found().repos.get(at.backendRepo)).toBe(repo)
  })
})

describe('a peer over whose own repo somebody unknown wrote its claim', () => {
  async function overwritten() {
    const { at } = await agreedHere()
    const repo = at.found().repos.get(at.plainRepo)
    if (repo === undefined) throw new Error('the desk has a repo')
    const shown = { ...toPlainRepo(repo, (id) => id), assigned_agent: 'agent-unknown', agent_endpoint: null }
    const look = (more: object = {}) => at.send('cacp/repo/sync', { repo: { ...shown, ...more } })
    return { at, repo, look }
  }

  test('says nothing of itself by that, however often it is looked at', async () => {
    const { at, repo, look } = await overwritten()
    await using _ = at
    const { seq } = at.desk.store.health()
    expect(await look()).toMatchObject({ status: 'error', kind: 'forbidden' })
    expect(await look()).toMatchObject({ status: 'error', kind: 'forbidden' })
    expect(at.found().repos.get(at.plainRepo)).toBe(repo)
    expect(at.desk.store.health()).toMatchObject({ seq })
  })

  test('describes its repo once, and is reached where it was', async () => {
    const { at, repo, look } = await overwritten()
    await using _ = at
    await look({ role: 'gateway' })
    const described = at.found().repos.get(at.plainRepo)
    expect(described).toMatchObject({ role: 'gateway', endpoint: repo.endpoint })
    await look({ role: 'gateway' })
    expect(at.found().repos.get(at.plainRepo)).toBe(described)
  })
})
