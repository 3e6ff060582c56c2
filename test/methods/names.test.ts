import { expect, test } from 'vitest'
import { createAudit } from '../../src/engine/dispatch/audit.ts'
import { createDispatch, tableOf } from '../../src/engine/dispatch/dispatch.ts'
import { BACKEND, type Desk, openDesk, openFeature } from '../support/desk/desk.ts'

const proposal = { type: 'custom' as const, name: 'Login', content: { path: '/login' } }

async function openLogin(desk: Desk) {
  const feature = await openFeature(desk)
  const { projectId, backend } = feature
  const { contractId } = await backend('cacp/contract/propose', { projectId, ...proposal })
  return { ...feature, contractId, target: { projectId: 'User Auth Feature', contractId: 'Login' } }
}

const create = (desk: Desk, name: string) => desk.call('cacp/project/create', { name, objective: '' })

test('names do what ids do, in everything that is read and written', async () => {
  await using desk = await openDesk()
  const { projectId, contractId, target, backend, frontend } = await openLogin(desk)
  expect(await backend('cacp/contract/get', target)).toMatchObject({ contract_id: contractId })
  expect(await frontend('cacp/contract/respond', { ...target, action: 'agree' })).toMatchObject({
    contractStatus: 'agreed',
  })
  expect(await backend('cacp/contract/diff', target)).toMatchObject({ contractId })
  const question = { ...target, question: 'JWT?', relatedContracts: ['Login'] }
  const { packetId } = await backend('cacp/context/askQuestion', question)
  const { packets } = await backend('cacp/context/list', target)
  expect(packets).toMatchObject([{ packet_id: packetId, related_contracts: [contractId] }])
  const until = { contract: { ...target, statusAtLeast: 'agreed' as const } }
  expect(await backend('cacp/wait', { until })).toMatchObject({ met: true, about: { projectId, contractId } })
})

test('where there is one project it need not be named, and where there are several they are told', async () => {
  await using desk = await openDesk()
  await expect(desk.send('cacp/contract/list', {})).rejects.toMatchObject({
    message: 'Invalid params: projectId required',
    next: expect.stringContaining('cacp/project/create'),
  })
  const { projectId, contractId } = await openLogin(desk)
  expect(await desk.call('cacp/contract/get', { contractId: 'Login' })).toMatchObject({
    contract_id: contractId,
  })
  const other = await create(desk, 'Other')
  await expect(desk.send('cacp/contract/list', {})).rejects.toMatchObject({
    kind: 'invalid_params',
    data: {
      field: 'projectId',
      candidates: [
        { id: other.projectId, name: 'Other' },
        { id: projectId, name: 'User Auth Feature' },
      ],
    },
    next: expect.stringContaining('cacp/project/use'),
  })
  await desk.call('cacp/project/archive', { projectId: 'Other' })
  expect(await desk.call('cacp/contract/list', {})).toMatchObject({ contracts: [{ contractId }] })
})

test('the beginning of an id is enough to look, and never to change something', async () => {
  await using desk = await openDesk()
  const { projectId, contractId, frontend } = await openLogin(desk)
  const short = { projectId: projectId.slice(0, 20), contractId: contractId.slice(0, 20) }
  expect(await desk.call('cacp/contract/get', short)).toMatchObject({ contract_id: contractId })
  await expect(frontend('cacp/contract/respond', { ...short, action: 'agree' })).rejects.toMatchObject({
    kind: 'not_found',
  })
  await expect(desk.call('cacp/project/get', { projectId: projectId.slice(0, 5) })).rejects.toMatchObject({
    kind: 'not_found',
  })
  const second = await create(desk, 'Second')
  await expect(desk.call('cacp/project/get', { projectId: projectId.slice(0, 6) })).rejects.toMatchObject({
    kind: 'invalid_params',
    message: expect.stringMatching(/^2 projects have an ID that begins with \w{6}: /),
    data: {
      candidates: expect.arrayContaining([expect.objectContaining({ id: second.projectId, name: 'Second' })]),
    },
  })
})

test('a name that was given again after its contract was withdrawn means the new one', async () => {
  await using desk = await openDesk()
  const { contractId, target, backend } = await openLogin(desk)
  await backend('cacp/contract/withdraw', target)
  expect(await backend('cacp/contract/get', target)).toMatchObject({ contract_id: contractId })
  const again = await backend('cacp/contract/propose', proposal)
  expect(await backend('cacp/contract/get', target)).toMatchObject({ contract_id: again.contractId })
  await backend('cacp/contract/propose', proposal)
  await expect(backend('cacp/contract/get', target)).rejects.toThrow(/^2 contracts are called «Login»: /)
})

test('the current project is meant until it is cleared, and by that agent alone', async () => {
  await using desk = await openDesk()
  const { projectId } = await openLogin(desk)
  const outsider = desk.as('aid://example.com/outsider@1.0.0')
  const { projectId: other } = await create(desk, 'Other')
  expect(await desk.call('cacp/project/use', { projectId: 'Other' })).toEqual({
    projectId: other,
    name: 'Other',
    isSet: true,
  })
  expect(await desk.call('cacp/project/get', {})).toMatchObject({ project_id: other })
  expect(await desk.call('cacp/project/current', {})).toMatchObject({ projectId: other, isSet: true })
  await expect(outsider('cacp/project/get', {})).rejects.toThrow('projectId required')
  expect(await desk.call('cacp/project/get', { projectId })).toMatchObject({ project_id: projectId })
  expect(await desk.call('cacp/project/use', { clear: true })).toEqual({
    projectId: null,
    name: null,
    isSet: false,
  })
  await expect(desk.send('cacp/project/use', {})).rejects.toThrow(/name the project, or clear/)
  const peer = { caller: { kind: 'peer' as const, agentId: 'aid://example.com/x@1.0.0' } }
  await expect(desk.send('cacp/project/use', { projectId }, peer)).rejects.toMatchObject({
    kind: 'forbidden',
  })
})

test('a current project that was archived is told with the way on', async () => {
  await using desk = await openDesk()
  await openLogin(desk)
  await create(desk, 'Other')
  await desk.call('cacp/project/use', { projectId: 'Other' })
  await desk.call('cacp/project/archive', { projectId: 'Other' })
  await expect(desk.send('cacp/contract/list', {})).rejects.toMatchObject({
    message: expect.stringMatching(/^The current project «Other» \(\S+\) is archived$/),
    next: 'Choose another one, or none, with cacp/project/use, or name it in projectId',
  })
})

test('a project token means its own project, by id, by name or by nothing', async () => {
  await using desk = await openDesk()
  const { projectId } = await openLogin(desk)
  await create(desk, 'Other')
  const permissions = ['project:read' as const]
  const now = desk.clock.now()
  const issued = { token_id: 't', project_id: projectId, subject: 'guest', permissions, issued_at: now }
  const value = { ...issued, expires_at: now, revoked_at: null }
  await desk.store.commit(() => ({ result: undefined, local: [{ table: 'token', id: 't', value }] }))
  const grant = { projectId, permissions: new Set(permissions) }
  const token = { caller: { kind: 'token' as const, agentId: 'guest', credential: 't', grant } }
  for (const params of [{}, { projectId }, { projectId: 'User Auth Feature' }])
    expect(await desk.send('cacp/contract/list', params, token)).toMatchObject({
      contracts: [{ name: 'Login' }],
    })
  expect(await desk.send('cacp/feed/read', {}, token)).toMatchObject({ more: false })
  for (const word of ['Other', 'Nobody'])
    await expect(desk.send('cacp/contract/list', { projectId: word }, token)).rejects.toMatchObject({
      kind: 'forbidden',
    })
})

test('the same key answers the same, whatever the words mean by then', async () => {
  await using desk = await openDesk()
  const { projectId } = await openLogin(desk)
  const once = { idempotencyKey: 'once' }
  const first = await desk.send('cacp/contract/propose', { ...proposal, name: 'By default' }, once)
  await create(desk, 'Other')
  await desk.call('cacp/project/use', { projectId: 'Other' })
  expect(await desk.send('cacp/contract/propose', { ...proposal, name: 'By default' }, once)).toEqual(first)
  expect((await desk.call('cacp/contract/list', { projectId })).contracts).toHaveLength(2)
})

test('the audit trail tells the ids of what was called by its name', async () => {
  await using desk = await openDesk()
  const { projectId, contractId, target } = await openLogin(desk)
  const lines: object[] = []
  const trail = { record: (line: object) => lines.push(line), list: async () => [] }
  const audit = createAudit({ trail, clock: desk.clock })
  const watched = createDispatch(tableOf(desk.methods), audit.watch(desk.answer))
  const caller = { kind: 'operator' as const, agentId: BACKEND, repoName: 'backend-api' }
  const method = 'cacp/contract/withdraw'
  await watched({ method, params: target, caller, idempotencyKey: undefined })
  expect(lines).toMatchObject([{ what: method, projectId, ids: [contractId] }])
})

test('a name that a contract has already is told with it, and whoever says it later can tell them apart', async () => {
  await using desk = await openDesk()
  const { projectId, contractId, target, backend, frontend } = await openLogin(desk)
  const again = await frontend('cacp/contract/propose', { projectId, ...proposal })
  expect(again.hint).toMatch(
    new RegExp(
      `^Contract ${contractId} is called «Login», too \\(proposed custom, by «backend-api», created `,
    ),
  )
  await expect(backend('cacp/contract/get', target)).rejects.toMatchObject({
    message: expect.stringMatching(/\(proposed custom, by «frontend-app», created 2026-11-16 09:00 UTC\)/),
    data: {
      candidates: expect.arrayContaining([
        {
          id: contractId,
          name: 'Login',
          status: 'proposed custom',
          by: 'backend-api',
          createdAt: expect.any(String),
        },
      ]),
    },
  })
  for (const one of [{ contractId }, again]) {
    const call = one === again ? frontend : backend
    await call('cacp/contract/withdraw', { projectId, contractId: one.contractId })
  }
  await expect(backend('cacp/contract/get', target)).rejects.toThrow(/\(withdrawn custom, by «backend-api»/)
  expect(await backend('cacp/contract/propose', { projectId, ...proposal })).not.toHaveProperty('hint')
})

test('a project in which the caller holds no repo is not counted among those that it may mean', async () => {
  await using desk = await openDesk()
  const { projectId, frontend } = await openLogin(desk)
  await create(desk, 'Ops')
  expect(await frontend('cacp/project/current', {})).toMatchObject({ projectId, isSet: false })
  expect(await frontend('cacp/contract/list', {})).toMatchObject({ contracts: [{ name: 'Login' }] })
  const outsider = desk.as('aid://example.com/outsider@1.0.0')
  await expect(outsider('cacp/contract/list', {})).rejects.toThrow(/«Ops».*«User Auth Feature»/)
  const other = await create(desk, 'Third')
  const { projectId: third } = other
  await desk.call('cacp/project/addRepo', { projectId: third, name: 'frontend-app' })
  await frontend('cacp/project/join', { projectId: third, repoName: 'frontend-app' })
  await expect(frontend('cacp/contract/list', {})).rejects.toMatchObject({
    data: { candidates: [{ name: 'Third' }, { name: 'User Auth Feature' }] },
  })
})

test('a project that is mistyped is told as it is called, and not to those who may not see it', async () => {
  await using desk = await openDesk()
  await create(desk, 'Shop')
  await desk.call('cacp/project/create', { name: 'Secret', objective: '', visibility: 'members' })
  await expect(desk.call('cacp/project/get', { projectId: 'Shp' })).rejects.toMatchObject({
    next: 'Did you mean Shop? List the projects with cacp/project/list',
    data: { meant: 'Shop' },
  })
  const peer = { caller: { kind: 'peer' as const, agentId: 'aid://example.com/x@1.0.0', repoName: 'x' } }
  await expect(desk.send('cacp/project/get', { projectId: 'Secre' }, peer)).rejects.toMatchObject({
    next: 'List the projects with cacp/project/list',
  })
})
