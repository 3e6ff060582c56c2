import { describe, expect, test } from 'vitest'
import { openDesk, openFeature } from '../../support/desk/desk.ts'

describe('contracts', () => {
  test('content comes back equal whatever its keys are [cacp-contract-1]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const content = JSON.parse(
      '{"__proto__": {"admin": true}, "constructor": 1, "a b": [null, 1.5, "ü\\u2028"], "nested": {"__proto__": 2}}',
    )
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Odd',
      content,
    })
    const contract = await backend('cacp/contract/get', { projectId, contractId })
    expect(JSON.stringify(contract.content)).toBe(JSON.stringify(content))
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('both spellings of the change note are taken [cacp-update-1]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'C',
      content: {},
    })
    await backend('cacp/contract/update', { projectId, contractId, content: { v: 2 }, changeNote: 'one' })
    expect((await backend('cacp/contract/get', { projectId, contractId })).head.change_notes).toBe('one')
    await backend('cacp/contract/update', { projectId, contractId, content: { v: 3 }, changeNotes: 'two' })
    expect((await backend('cacp/contract/get', { projectId, contractId })).head.change_notes).toBe('two')
  })

  test('an answer to a version that has moved on is refused when the caller says which one it read', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'C',
      content: {},
    })
    await backend('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
    const agree = { projectId, contractId, action: 'agree' as const }
    await expect(frontend('cacp/contract/respond', { ...agree, version: 1 })).rejects.toThrow(
      /is at version 2, not 1/,
    )
    await expect(frontend('cacp/contract/respond', { ...agree, version: 2 })).resolves.toMatchObject({
      contractVersion: 2,
    })
  })

  test('only its parties answer and implement, and their completion is enough', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Backend only',
      content: {},
      parties: ['backend-api'],
    })
    const agree = { projectId, contractId, action: 'agree' as const }
    await expect(frontend('cacp/contract/respond', agree)).rejects.toThrow(/is not a party/)
    expect(await backend('cacp/contract/respond', agree)).toMatchObject({ contractStatus: 'agreed' })
    await expect(frontend('cacp/implementation/start', { projectId, contractId })).rejects.toThrow(
      /is not a party/,
    )
    await backend('cacp/implementation/start', { projectId, contractId })
    expect(await backend('cacp/implementation/complete', { projectId, contractId, files: [] })).toMatchObject(
      { contractStatus: 'implemented' },
    )
  })

  test('what was built stays built while a change is negotiated, and is history once that is agreed', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'C',
      content: {},
    })
    const ids = { projectId, contractId }
    await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
    await backend('cacp/implementation/start', ids)
    await backend('cacp/implementation/complete', { ...ids, files: ['a.py'] })
    await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
    expect(await backend('cacp/contract/get', ids)).toMatchObject({
      version: 2,
      status: 'proposed',
      inForce: { version: 1, status: 'agreed' },
      implementations: [{ files: ['a.py'], status: 'complete' }],
    })
    await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
    expect(await backend('cacp/contract/get', ids)).toMatchObject({
      status: 'agreed',
      inForce: { version: 2 },
      implementations: [],
      past_implementations: [{ files: ['a.py'], status: 'complete' }],
    })
  })

  test('the list filters by status and type and pages [cacp-list-1]', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const type = name === 'c' ? 'data_model' : 'custom'
      ids.push((await backend('cacp/contract/propose', { projectId, type, name, content: {} })).contractId)
    }
    await frontend('cacp/contract/respond', { projectId, contractId: ids[1] ?? '', action: 'agree' })
    const namesOf = (page: { contracts: { name: string }[] }) => page.contracts.map((one) => one.name)
    expect(namesOf(await backend('cacp/contract/list', { projectId, status: 'agreed' }))).toEqual(['b'])
    expect(namesOf(await backend('cacp/contract/list', { projectId, type: 'data_model' }))).toEqual(['c'])
    const first = await backend('cacp/contract/list', { projectId, limit: 2 })
    const second = await backend('cacp/contract/list', {
      projectId,
      limit: 2,
      cursor: first.nextCursor ?? '',
    })
    const third = await backend('cacp/contract/list', {
      projectId,
      limit: 2,
      cursor: second.nextCursor ?? '',
    })
    expect([first, second, third].map(namesOf)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(third.nextCursor).toBeUndefined()
  })

  test('projects that do not fit into 1 MiB are listed in short, and none is hidden', async () => {
    await using desk = await openDesk()
    for (let n = 0; n < 6; n++) {
      const { projectId } = await desk.call('cacp/project/create', { name: `p${n}`, objective: '' })
      await desk.call('cacp/contract/propose', {
        projectId,
        type: 'custom',
        name: 'big',
        content: { text: 'x'.repeat(250_000) },
      })
    }
    const page = await desk.call('cacp/project/list', {})
    expect(page.projects.map((project) => project.name)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5'])
    expect(JSON.stringify(page).length).toBeLessThan(1024 * 1024)
    expect(page.projects.filter((project) => 'contracts' in project)).toHaveLength(4)
    expect(page).toMatchObject({ summarized: 2 })
    expect(page.projects[5]).toEqual({
      projectId: expect.any(String),
      name: 'p5',
      status: 'planning',
      repoCount: 1,
      archived: false,
      contractCount: 1,
      createdAt: expect.any(String),
    })
    expect(page.nextCursor ?? page.truncated).toBeUndefined()
  })

  test('one project that does not fit is listed in short, counted in bytes, and costs the others nothing', async () => {
    await using desk = await openDesk()
    const create = async (name: string) =>
      (await desk.call('cacp/project/create', { name, objective: '' })).projectId
    const projectId = await create('large')
    for (let n = 0; n < 4; n++)
      await desk.call('cacp/context/share', {
        projectId,
        type: 'question',
        content: { text: '\u00e9'.repeat(200_000) },
      })
    await create('small')
    const page = await desk.call('cacp/project/list', {})
    expect(page.projects.map((one) => [one.name, 'contracts' in one])).toEqual([
      ['large', false],
      ['small', true],
    ])
    expect((await desk.call('cacp/project/list', { limit: 1 })).projects).toHaveLength(1)
  })

  test('a client that knows no pages gets more than 1000 contracts', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', { name: 'P', objective: '' })
    for (let n = 0; n < 1200; n++)
      await desk.call('cacp/contract/propose', { projectId, type: 'custom', name: `c${n}`, content: {} })
    const page = await desk.call('cacp/contract/list', { projectId })
    expect(page.contracts).toHaveLength(1200)
    expect(page.nextCursor).toBeUndefined()
    const cut = await desk.call('cacp/contract/list', { projectId, limit: 1000 })
    expect([cut.contracts.length, cut.nextCursor]).toEqual([1000, cut.contracts[999]?.contractId])
  })
})
