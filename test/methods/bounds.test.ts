import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/protocol/limits.ts'
import { OUTSIDER, openDesk, openFeature } from '../support/desk.ts'

const deep = (levels: number): object => (levels === 0 ? {} : { inner: deep(levels - 1) })
const HELLO = { name: 'hello.txt', content: 'aGVsbG8=' }

describe('what is acknowledged here can be handed over', () => {
  test('no packet is larger than a peer takes, whatever it is put together from', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const options = Array.from({ length: 40 }, () => 'x'.repeat(10_000))
    await expect(
      backend('cacp/context/askQuestion', { projectId, question: '?', options }),
    ).rejects.toMatchObject({
      kind: 'too_large',
    })
    await expect(
      backend('cacp/context/recordDecision', {
        projectId,
        decision: 'd',
        chosen: 'c',
        rationale: 'r',
        implications: options,
      }),
    ).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('the deepest content that is taken arrives with its whole project', async () => {
    await using there = await openDesk()
    await using here = await openDesk()
    const { projectId, backend } = await openFeature(there)
    await expect(
      backend('cacp/contract/propose', {
        projectId,
        type: 'custom',
        name: 'Too deep',
        content: deep(LIMITS.depth) as never,
      }),
    ).rejects.toMatchObject({ kind: 'invalid_params' })
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Deep',
      content: deep(LIMITS.depth - 2) as never,
    })
    await backend('cacp/contract/update', { projectId, contractId, content: {} })
    const project = await backend('cacp/project/get', { projectId })
    const sent = await here.send('cacp/project/sync', { project: JSON.parse(JSON.stringify(project)) })
    expect(sent).toEqual({ status: 'created', projectId })
  })

  test('one part that is too deep costs only itself, and is refused in the result', async () => {
    await using there = await openDesk()
    await using here = await openDesk()
    const { projectId, backend } = await openFeature(there)
    await backend('cacp/contract/propose', { projectId, type: 'custom', name: 'Good', content: {} })
    const project = await backend('cacp/project/get', { projectId })
    const bad = { ...project.contracts[0], contract_id: 'bad', content: deep(200) }
    const sent = await here.send('cacp/project/sync', {
      project: { ...project, contracts: [bad, ...project.contracts] },
    })
    expect(sent).toMatchObject({ status: 'created', refused: [{ kind: 'contract', id: 'bad' }] })
    expect(await here.send('cacp/contract/sync', { projectId, contract: bad })).toMatchObject({
      status: 'error',
    })
    expect(await here.send('cacp/contract/sync', { projectId: '../x', contract: {} })).toMatchObject({
      status: 'error',
    })
  })

  test('two histories that together exceed the bound of one are both kept', async () => {
    await using left = await openDesk()
    await using right = await openDesk()
    const { projectId, backend } = await openFeature(left)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'C',
      content: {},
    })
    const handOver = async (from: typeof left, to: typeof left) =>
      to.send('cacp/project/sync', {
        project: JSON.parse(JSON.stringify(await from.call('cacp/project/get', { projectId }))),
      })
    await handOver(left, right)
    for (const [desk, letter] of [
      [left, 'l'],
      [right, 'r'],
    ] as const)
      for (let n = 0; n < 11; n++)
        await desk.call('cacp/contract/update', {
          projectId,
          contractId,
          content: { text: letter.repeat(250_000), n },
        })
    expect(await handOver(right, left)).toMatchObject({ status: 'updated', projectId })
    const { history = [] } = await left.call('cacp/contract/get', {
      projectId,
      contractId,
      includeHistory: true,
    })
    expect(history).toHaveLength(22)
  }, 60_000)

  test('a peer cannot bring more repos than all replicas together may have', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const send = (n: number) =>
      desk.send('cacp/repo/sync', {
        projectId,
        repo: { repo_id: `r${n}`, name: `r${n}`, role: 'shared', language: 'go' },
      })
    for (let n = 2; n < LIMITS.mergedRepos; n++) expect(await send(n)).toMatchObject({ status: 'created' })
    expect(await send(LIMITS.mergedRepos)).toMatchObject({ status: 'error', kind: 'too_large' })
  })
})

test('a refused call leaves no file behind', async () => {
  await using desk = await openDesk()
  await openFeature(desk)
  await expect(desk.call('cacp/file/share', { projectId: 'nope', file: HELLO })).rejects.toMatchObject({
    kind: 'not_found',
  })
  expect(desk.disk.paths().filter((path) => path.includes('/files/'))).toEqual([])
})

test('only a member or the operator archives a project', async () => {
  await using desk = await openDesk()
  const { projectId } = await openFeature(desk)
  const outsider = { caller: { kind: 'open' as const, agentId: OUTSIDER, repoName: null } }
  await expect(desk.send('cacp/project/archive', { projectId }, outsider)).rejects.toMatchObject({
    kind: 'not_member',
  })
  await expect(desk.send('cacp/project/archive', { projectId })).resolves.toMatchObject({
    status: 'archived',
  })
})

test('a long context is read page by page, newest first, and no page exceeds the bound', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  for (let n = 0; n < 12; n++)
    await backend('cacp/context/share', {
      projectId,
      type: 'test_case',
      content: { n, text: 'x'.repeat(200_000) },
    })
  const seen: unknown[] = []
  let before: string | undefined
  for (;;) {
    const page = await backend('cacp/context/list', {
      projectId,
      ...(before === undefined ? {} : { before }),
    })
    expect(JSON.stringify(page).length).toBeLessThan(LIMITS.answerBytes * 1.1)
    seen.unshift(...page.packets.map((packet) => packet.content['n']))
    if (page.truncated !== true) break
    before = page.packets[0]?.packet_id
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('a long conversation is read page by page, oldest first, and no page exceeds the bound', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const share = (n: number, replyTo?: string) =>
    backend('cacp/context/share', {
      projectId,
      type: 'test_case',
      content: { n, text: '€'.repeat(66_000) },
      ...(replyTo === undefined ? {} : { replyTo }),
    })
  const { packetId } = await share(0)
  for (let n = 1; n < 12; n++) await share(n, packetId)
  const seen: unknown[] = []
  let after: string | undefined
  for (;;) {
    const page = await backend('cacp/context/getThread', {
      projectId,
      packetId,
      ...(after === undefined ? {} : { after }),
    })
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(LIMITS.answerBytes * 1.1)
    seen.push(...page.thread.map((packet) => packet.content['n']))
    if (page.truncated !== true) break
    after = page.thread.at(-1)?.packet_id
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  await expect(
    backend('cacp/context/getThread', { projectId, packetId, after: 'nowhere' }),
  ).rejects.toMatchObject({ kind: 'not_found', details: { field: 'after' } })
})
