import { describe, expect, test } from 'vitest'
import { ContextType, ContractType } from '../../src/protocol/words.ts'
import { BACKEND, FRONTEND, OUTSIDER, openDesk, openFeature } from '../support/desk/desk.ts'

const kind = (name: string) => expect.objectContaining({ kind: name })

describe('who may do what', () => {
  test('only members propose, respond, share, implement and verify [cacp-propose-2] [cacp-respond-3]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const outsider = desk.as(OUTSIDER)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Auth',
      content: {},
    })
    const refused = [
      outsider('cacp/contract/propose', { projectId, type: 'custom', name: 'Mine', content: {} }),
      outsider('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
      outsider('cacp/contract/update', { projectId, contractId, content: {} }),
      outsider('cacp/context/share', { projectId, type: 'question', content: {} }),
      outsider('cacp/implementation/start', { projectId, contractId }),
    ]
    for (const call of refused) await expect(call).rejects.toThrow(kind('not_member'))
    await expect(
      outsider('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
    ).rejects.toThrow(`${OUTSIDER} holds no repo of project ${projectId}`)
    expect((await backend('cacp/project/get', { projectId })).contracts).toHaveLength(1)
  })

  test('the author of a version cannot respond to it, unless its repo is alone [cacp-respond-3]', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Auth',
      content: {},
    })
    await expect(
      backend('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/cannot respond to itself/),
      next: 'frontend-app has to answer; to change it yourself call cacp/contract/update',
    })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'reject' })
    await expect(
      backend('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
    ).rejects.toMatchObject({
      next: 'frontend-app did not agree to it; to change it yourself call cacp/contract/update',
    })
    await frontend('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
    await expect(
      frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
    ).rejects.toThrow(kind('conflict'))
    await expect(
      backend('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
    ).resolves.toMatchObject({ status: 'agreed' })
    await expect(
      frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
    ).rejects.toMatchObject({
      next: 'All have agreed to it; to change it yourself call cacp/contract/update',
    })

    const alone = await backend('cacp/project/create', { name: 'Alone', objective: 'one repo' })
    const own = await backend('cacp/contract/propose', {
      projectId: alone.projectId,
      type: 'custom',
      name: 'Own',
      content: {},
    })
    await expect(
      backend('cacp/contract/respond', {
        projectId: alone.projectId,
        contractId: own.contractId,
        action: 'agree',
      }),
    ).resolves.toMatchObject({ contractStatus: 'agreed' })
  })

  test('a repo that is claimed cannot be joined by another; its holder may repeat the call and move [cacp-join-2]', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    const again = { projectId, repoName: 'frontend-app', agentEndpoint: 'http://frontend-agent:9999' }
    await expect(desk.as(OUTSIDER)('cacp/project/join', again)).rejects.toThrow(
      `already claimed by ${FRONTEND}`,
    )
    const { repoId } = await frontend('cacp/project/join', again)
    const { repos } = await frontend('cacp/project/get', { projectId })
    expect(repos.find((repo) => repo.repo_id === repoId)).toMatchObject({
      agent_id: FRONTEND,
      agent_endpoint: 'http://frontend-agent:9999',
      claims: [{ agent_id: FRONTEND }],
    })
    await expect(frontend('cacp/project/join', { projectId, repoName: 'backend-api' })).rejects.toThrow(
      kind('conflict'),
    )
    await expect(frontend('cacp/project/join', { projectId, repoName: 'nowhere' })).rejects.toThrow(
      /project .* has no repo named nowhere/,
    )
  })

  test('a released repo can be claimed by another agent', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    await expect(
      desk.send('cacp/repo/release', { projectId, repoName: 'frontend-app' }, { caller: { kind: 'open' } }),
    ).rejects.toThrow(/only that agent or the operator/)
    const { repoId } = await frontend('cacp/repo/release', { projectId })
    await expect(frontend('cacp/repo/release', { projectId })).rejects.toThrow(kind('not_found'))
    expect(
      await desk.as(OUTSIDER)('cacp/project/join', { projectId, repoName: 'frontend-app' }),
    ).toMatchObject({ repoId, status: 'joined' })
  })

  test('a project whose repos leave out your own tells you what to do [cacp-create-2]', async () => {
    await using desk = await openDesk()
    const elsewhere = await desk.call('cacp/project/create', {
      name: 'X',
      objective: '',
      repos: [{ name: 'other' }],
    })
    expect(elsewhere.hint).toMatch(/--repo NAME/)
    await expect(
      desk.call('cacp/contract/propose', {
        projectId: elsewhere.projectId,
        type: 'custom',
        name: 'C',
        content: {},
      }),
    ).rejects.toMatchObject({ kind: 'not_member', next: expect.stringContaining('cacp/project/addRepo') })

    const added = await desk.call('cacp/project/addRepo', {
      projectId: elsewhere.projectId,
      name: 'backend-api',
      role: 'backend',
      language: 'python',
    })
    expect(added).toMatchObject({ status: 'added', repoCount: 2 })
    expect(await desk.call('cacp/project/join', { projectId: elsewhere.projectId })).toMatchObject({
      repoId: added.repoId,
    })

    const own = await desk.call('cacp/project/create', { name: 'Y', objective: '' })
    expect(own).toEqual({ projectId: own.projectId, status: 'created', repoCount: 1 })
    expect((await desk.call('cacp/project/get', { projectId: own.projectId })).repos).toMatchObject([
      { name: 'backend-api', agent_id: BACKEND },
    ])
  })
})

describe('bad params', () => {
  const at = (path: string) => expect.objectContaining({ kind: 'invalid_params', data: { field: path } })

  test.each([
    ['cacp/project/get', { projectId: 7 }, 'projectId'],
    ['cacp/project/get', { projectId: '' }, 'projectId'],
    ['cacp/project/get', { projectId: 'a\u0000b' }, 'projectId'],
    ['cacp/project/get', { projectId: 'x'.repeat(300) }, 'projectId'],
    ['cacp/project/archive', {}, 'projectId'],
    ['cacp/project/create', { name: 'f0ebc7e6-3b58-4d02-abb1-b63e1e0ba7ac', objective: '' }, 'name'],
    ['cacp/project/addRepo', { projectId: 'PROJECT', name: 'aid://example.com/x@1.0.0' }, 'name'],
    [
      'cacp/contract/propose',
      { projectId: 'PROJECT', type: 'custom', name: 'a'.repeat(64), content: {} },
      'name',
    ],
    ['cacp/project/create', { name: '', objective: 'o' }, 'name'],
    ['cacp/project/create', { name: 'n' }, 'objective'],
    ['cacp/project/create', { name: 'n', objective: 'o', repos: [{ role: 'backend' }] }, 'repos.0.name'],
    ['cacp/project/create', { name: 'n', objective: 'o', repos: [{ name: 'a' }, { name: 'a' }] }, 'repos'],
    ['cacp/project/create', { name: 'n', objective: 'o', visibility: 'nobody' }, 'visibility'],
    ['cacp/project/list', { limit: 0 }, 'limit'],
    ['cacp/project/list', { limit: -1 }, 'limit'],
    ['cacp/project/list', { limit: 1.5 }, 'limit'],
    ['cacp/project/list', { cursor: 'unknown' }, 'cursor'],
    ['cacp/context/list', { projectId: 'PROJECT', limit: 0 }, 'limit'],
    ['cacp/context/list', { projectId: 'PROJECT', since: 'yesterday' }, 'since'],
    ['cacp/contract/propose', { projectId: 'PROJECT', type: 'zz', name: 'n', content: {} }, 'type'],
    ['cacp/contract/propose', { projectId: 'PROJECT', type: 'custom', name: 'n', content: [1] }, 'content'],
    [
      'cacp/contract/propose',
      { projectId: 'PROJECT', type: 'custom', name: 'n', content: { big: 'x'.repeat(300_000) } },
      'content',
    ],
    [
      'cacp/contract/propose',
      { projectId: 'PROJECT', type: 'custom', name: 'n', content: {}, parties: [] },
      'parties',
    ],
    ['cacp/implementation/complete', { projectId: 'PROJECT', contractId: 'c' }, 'files'],
    ['cacp/implementation/verify', { projectId: 'PROJECT', contractId: 'c', result: 'meh' }, 'result'],
    [
      'cacp/project/join',
      { projectId: 'PROJECT', repoName: 'frontend-app', agentEndpoint: 'ftp://x' },
      'agentEndpoint',
    ],
  ])('%s %o names the field %s and stores nothing [cacp-errors-4]', async (method, params: object, field) => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const before = await desk.call('cacp/project/list', {})
    const given = 'projectId' in params && params.projectId === 'PROJECT' ? { ...params, projectId } : params
    await expect(desk.send(method, given)).rejects.toThrow(at(field))
    expect(await desk.call('cacp/project/list', {})).toEqual(before)
  })

  test('a missing param is named as the document does it [cacp-errors-4]', async () => {
    await using desk = await openDesk()
    await expect(desk.send('cacp/project/get', undefined)).rejects.toThrow(
      'Invalid params: projectId required',
    )
    await expect(desk.send('cacp/project/get', [1])).rejects.toThrow(kind('invalid_params'))
    await expect(desk.send('cacp/nothing', {})).rejects.toThrow(kind('method_not_found'))
  })

  test('unknown ids are not found, and the error says where to look', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    await expect(backend('cacp/project/get', { projectId: 'nope' })).rejects.toMatchObject({
      kind: 'not_found',
      message: 'No project nope here',
      next: expect.stringContaining('cacp/project/list'),
    })
    await expect(backend('cacp/contract/get', { projectId, contractId: 'nope' })).rejects.toThrow(
      kind('not_found'),
    )
    await expect(
      backend('cacp/context/share', { projectId, type: 'question', content: {}, replyTo: 'nope' }),
    ).rejects.toThrow(kind('not_found'))
    await expect(
      backend('cacp/context/share', { projectId, type: 'question', content: {}, relatedContracts: ['nope'] }),
    ).rejects.toThrow(kind('not_found'))
    await expect(
      backend('cacp/contract/propose', {
        projectId,
        type: 'custom',
        name: 'n',
        content: {},
        parties: ['nope'],
      }),
    ).rejects.toThrow(/parties: project .* has no repo named nope/)
    await expect(backend('cacp/context/getThread', { projectId, packetId: 'nope' })).rejects.toThrow(
      kind('not_found'),
    )
  })

  test('the six contract types and the ten context types are taken, no others [cacp-contract-2] [cacp-context-2]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    for (const type of ContractType.options)
      await backend('cacp/contract/propose', { projectId, type, name: type, content: {} })
    for (const type of ContextType.options)
      await backend('cacp/context/share', { projectId, type, content: {} })
    const project = await backend('cacp/project/get', { projectId })
    expect(project.contracts.map((contract) => contract.type)).toEqual([...ContractType.options])
    expect(project.context_history.map((packet) => packet.type)).toEqual([...ContextType.options])
    await expect(desk.send('cacp/context/share', { projectId, type: 'gossip', content: {} })).rejects.toThrow(
      kind('invalid_params'),
    )
  })
})
