import { describe, expect, test } from 'vitest'
import { FRONTEND, openDesk, openFeature } from '../support/desk/desk.ts'

describe('an idempotency key', () => {
  const create = { name: 'Once', objective: 'only once' }

  test('makes a repeated call answer the same without doing it again', async () => {
    await using desk = await openDesk()
    const first = await desk.send('cacp/project/create', create, { idempotencyKey: 'k1' })
    const again = await desk.send('cacp/project/create', create, { idempotencyKey: 'k1' })
    const inParams = await desk.send('cacp/project/create', { ...create, idempotencyKey: 'k1' })
    expect([again, inParams]).toEqual([first, first])
    expect((await desk.call('cacp/project/list', {})).projects).toHaveLength(1)
  })

  test('joins calls that are still on their way to disk', async () => {
    await using desk = await openDesk()
    const release = desk.disk.hold()
    const both = Promise.all(
      [1, 2].map(() => desk.send('cacp/project/create', create, { idempotencyKey: 'k1' })),
    )
    release()
    const [first, second] = await both
    expect(second).toEqual(first)
    expect((await desk.call('cacp/project/list', {})).projects).toHaveLength(1)
  })

  test('belongs to one agent and one method', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const share = { projectId, type: 'question', content: {} }
    const mine = await desk.send('cacp/context/share', share, { idempotencyKey: 'k1' })
    const theirs = await desk.send('cacp/context/share', share, {
      idempotencyKey: 'k1',
      caller: { agentId: FRONTEND, repoName: null },
    })
    const other = await desk.send(
      'cacp/context/askQuestion',
      { projectId, question: '?' },
      { idempotencyKey: 'k1' },
    )
    expect(new Set([mine, theirs, other].map((one) => JSON.stringify(one))).size).toBe(3)
  })

  test('refuses other params under the same key', async () => {
    await using desk = await openDesk()
    await desk.send('cacp/project/create', create, { idempotencyKey: 'k1' })
    await expect(
      desk.send('cacp/project/create', { ...create, name: 'Twice' }, { idempotencyKey: 'k1' }),
    ).rejects.toMatchObject({
      kind: 'idempotency_conflict',
    })
  })

  test('remembers only successes, and those for a day', async () => {
    await using desk = await openDesk()
    const join = { projectId: 'later', repoName: 'backend-api' }
    await expect(desk.send('cacp/project/join', join, { idempotencyKey: 'k1' })).rejects.toMatchObject({
      kind: 'not_found',
    })
    const first = await desk.send('cacp/project/create', create, { idempotencyKey: 'k2' })
    desk.clock.advance(23 * 3600)
    expect(await desk.send('cacp/project/create', create, { idempotencyKey: 'k2' })).toEqual(first)
    desk.clock.advance(2 * 3600)
    expect(await desk.send('cacp/project/create', create, { idempotencyKey: 'k2' })).not.toEqual(first)
  })

  test.each([7, '', 'x'.repeat(201), {}])('%j is not a key', async (idempotencyKey) => {
    await using desk = await openDesk()
    await expect(desk.send('cacp/project/create', { ...create, idempotencyKey })).rejects.toMatchObject({
      data: { field: 'idempotencyKey' },
    })
  })
})
