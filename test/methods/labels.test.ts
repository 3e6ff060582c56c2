import { describe, expect, test } from 'vitest'
import { repoChange } from '../../src/domain/change.ts'
import { openDesk, openFeature } from '../support/desk.ts'

/** What each of them looks like is not what it is. */
const UNSEEN = {
  NUL: 'api\0',
  'a control character': 'ap\u0007i',
  'a break of the line': 'api\nmobile',
  'a turn of direction': 'api\u202Eipa',
  'a mark of direction': '\u200Fapi',
  'an isolate': '\u2066api\u2069',
  'a separator of paragraphs': 'api\u2029x',
}
const REASON = /must not contain NUL or other control characters, line breaks or marks of writing direction/

describe.each(Object.entries(UNSEEN))('%s in a name', (_what, bad) => {
  test('is refused with the field, wherever a name is given', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const calls: [method: string, params: object, field: string][] = [
      ['cacp/project/create', { name: bad, objective: 'o' }, 'name'],
      ['cacp/project/create', { name: 'P', objective: 'o', repos: [{ name: bad }] }, 'repos.0.name'],
      ['cacp/project/addRepo', { projectId, name: bad }, 'name'],
      ['cacp/project/addRepo', { projectId, name: 'mobile', role: bad }, 'role'],
      ['cacp/project/addRepo', { projectId, name: 'mobile', language: bad }, 'language'],
      ['cacp/project/join', { projectId, repoName: bad }, 'repoName'],
      ['cacp/contract/propose', { projectId, type: 'custom', name: bad, content: {} }, 'name'],
    ]
    for (const [method, params, field] of calls)
      await expect(desk.send(method, params), method).rejects.toMatchObject({
        kind: 'invalid_params',
        message: expect.stringMatching(REASON),
        details: { field },
      })
  })

  test('is not taken from a peer either, which is told why', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const peer = { caller: { kind: 'peer' as const, agentId: 'aid://example.com/peer@1.0.0', repoName: 'p' } }
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'C',
      content: {},
    })
    const contract = await backend('cacp/contract/get', { projectId, contractId, includeHistory: true })
    const project = await backend('cacp/project/get', { projectId })
    const [repo] = project.repos
    const sent: [method: string, params: object, field: string][] = [
      ['cacp/repo/sync', { projectId, repo: { ...repo, repo_id: 'r9', name: bad } }, 'repo.name'],
      ['cacp/repo/sync', { projectId, repo: { ...repo, repo_id: 'r9', role: bad } }, 'repo.role'],
      [
        'cacp/contract/sync',
        { projectId, contract: { ...contract, contract_id: 'c9', name: bad } },
        'contract.name',
      ],
      ['cacp/project/sync', { project: { ...project, project_id: 'p9', name: bad } }, 'project.name'],
    ]
    for (const [method, params, field] of sent) {
      const answer = (await desk.send(method, params, peer)) as { reason: string }
      expect(answer, method).toMatchObject({ status: 'error', kind: 'invalid_params', retryable: false })
      expect(answer.reason).toMatch(REASON)
      expect(answer.reason).toContain(field)
    }
  })
})

test('a name with it that is here from before goes on to be kept equal with the peers that have it', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const found = desk.store.view.projects.get(projectId)
  const [repo] = found?.repos.oldestFirst() ?? []
  if (repo === undefined) throw new TypeError('no repo')
  const old = { ...repo, repo_id: 'old', name: 'api\u202Eipa', claims: [] }
  await desk.store.commit(() => ({ result: undefined, changes: [repoChange(projectId, old)] }))
  const { repos } = await backend('cacp/project/get', { projectId })
  const wire = repos.find(({ repo_id }) => repo_id === 'old')
  const described = { ...wire, role: 'mobile', described_at: '2026-11-16T09:00:30.000000Z' }
  const peer = { caller: { kind: 'peer' as const, agentId: 'aid://example.com/peer@1.0.0', repoName: 'p' } }
  expect(await desk.send('cacp/repo/sync', { projectId, repo: described }, peer)).toMatchObject({
    status: 'updated',
  })
  expect(desk.store.view.projects.get(projectId)?.repos.get('old')?.about.value.role).toBe('mobile')
})

test('names in all scripts, with joined signs and ordinary spaces, are taken', async () => {
  await using desk = await openDesk()
  for (const name of ['Zahlungen (neu)', '支払い', 'پرداخت‌ها', 'תשלומים', '👩‍💻 desk', 'a/b#c «d»'])
    await expect(desk.send('cacp/project/create', { name, objective: 'o' })).resolves.toMatchObject({
      status: 'created',
    })
  expect(desk.store.view.projects.size).toBe(6)
})
