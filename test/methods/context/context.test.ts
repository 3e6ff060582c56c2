import { describe, expect, test } from 'vitest'
import { BACKEND, FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'

describe('context', () => {
  test('the list gives the newest packets, the oldest of them first', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    for (const n of [1, 2, 3, 4])
      await backend('cacp/context/share', { projectId, type: 'test_case', content: { n } })
    const numbers = async (params: { limit?: number; since?: string }) =>
      (await backend('cacp/context/list', { projectId, ...params })).packets.map(
        (packet) => packet.content['n'],
      )
    expect(await numbers({})).toEqual([1, 2, 3, 4])
    expect(await numbers({ limit: 1 })).toEqual([4])
    const { packets } = await backend('cacp/context/list', { projectId })
    const second = packets[1]?.timestamp ?? ''
    expect(await numbers({ since: second })).toEqual([3, 4])
    expect(await numbers({ since: second.replace('Z', '') })).toEqual([3, 4])
    expect(await numbers({ since: second.replace('Z', '+00:00') })).toEqual([3, 4])
  })

  test('code is shared under the keys of the reference', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    await backend('cacp/context/shareCode', {
      projectId,
      language: 'go',
      file: 'a.go',
      snippet: 'x',
      explanation: 'y',
      lineStart: 3,
      lineEnd: 4,
    })
    expect((await backend('cacp/context/list', { projectId })).packets[0]).toMatchObject({
      type: 'code_snippet',
      content: { language: 'go', file: 'a.go', snippet: 'x', explanation: 'y', line_start: 3, line_end: 4 },
    })
    await expect(
      backend('cacp/context/shareCode', {
        projectId,
        language: 'go',
        file: 'a.go',
        snippet: 'x'.repeat(262_144),
        explanation: '',
      }),
    ).rejects.toThrow(/POST \/files/)
  })

  test('its author or the operator can take a packet back, nobody else', async () => {
    await using desk = await openDesk()
    const { projectId, frontend, backend } = await openFeature(desk)
    const { packetId } = await frontend('cacp/context/share', {
      projectId,
      type: 'env_config',
      content: { password: 'hunter2' },
    })
    await expect(
      desk.send(
        'cacp/context/redact',
        { projectId, packetId },
        { caller: { kind: 'open', agentId: BACKEND } },
      ),
    ).rejects.toThrow(`was written by ${FRONTEND}`)
    await desk.send(
      'cacp/context/redact',
      { projectId, packetId, reason: 'secret' },
      { caller: { kind: 'open', agentId: FRONTEND } },
    )
    const project = await backend('cacp/project/get', { projectId })
    expect(project.context_history).toMatchObject([
      { packet_id: packetId, content: { redacted: true }, redacted: { by: FRONTEND, reason: 'secret' } },
    ])
    expect(JSON.stringify(project)).not.toContain('hunter2')
  })

  test('an archived project stays readable, leaves the list and takes no changes until it is brought back', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    expect(await backend('cacp/project/archive', { projectId })).toEqual({ projectId, status: 'archived' })
    await expect(backend('cacp/context/share', { projectId, type: 'question', content: {} })).rejects.toThrow(
      /was archived by backend-api/,
    )
    expect((await backend('cacp/project/list', {})).projects).toEqual([])
    expect((await backend('cacp/project/list', { includeArchived: true })).projects).toHaveLength(1)
    expect((await backend('cacp/project/get', { projectId })).archived).toBe(true)
    await backend('cacp/project/archive', { projectId, archived: false })
    await expect(
      backend('cacp/context/share', { projectId, type: 'question', content: {} }),
    ).resolves.toMatchObject({ status: 'shared' })
  })
})

test('packets are listed with the newest first where that is asked for, and go on back from the last one', async () => {
  await using desk = await openDesk()
  const { projectId } = await desk.call('cacp/project/create', { name: 'P', objective: '' })
  for (const question of ['a?', 'b?', 'c?'])
    await desk.call('cacp/context/askQuestion', { projectId, question })
  const listed = async (params: object) =>
    (await desk.call('cacp/context/list', { projectId, limit: 2, ...params })).packets
  const asked = (packets: Awaited<ReturnType<typeof listed>>) =>
    packets.map(({ content }) => content['question'])
  const newest = await listed({ order: 'newest' })
  expect([asked(newest), asked(await listed({}))]).toEqual([
    ['c?', 'b?'],
    ['b?', 'c?'],
  ])
  expect(asked(await listed({ order: 'newest', before: newest.at(-1)?.packet_id }))).toEqual(['a?'])
})
