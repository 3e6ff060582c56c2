import { describe, expect, test } from 'vitest'
import type { Sighting } from '../../src/domain/model.ts'
import { addMicros, EARLIEST, type Stamp, stampOfMillis } from '../../src/protocol/stamp.ts'
import { BACKEND, type Desk, FRONTEND, openDesk } from '../support/desk.ts'

const PLAIN = 'aid://example.com/plain@1.0.0'
const THIRD = 'aid://example.com/third@1.0.0'
const NINE = stampOfMillis(Date.UTC(2026, 10, 16, 9))
const as = (agentId: string) => ({ caller: { kind: 'peer' as const, agentId, repoName: null } })

const sighting = (id: string, at: Stamp = NINE, more: Partial<Sighting> = {}): Sighting => ({
  key: `packet ${id}`,
  of: EARLIEST,
  parts: 1,
  at,
  ...more,
})

/** A project whose frontend repo is held by an agent of another daemon. */
async function openProject(desk: Desk) {
  const { projectId } = await desk.call('cacp/project/create', {
    name: 'P',
    objective: 'o',
    repos: ['backend-api', 'frontend-app', 'plain-api'].map((name) => ({
      name,
      role: 'any',
      language: 'any',
    })),
  })
  const { repos } = await desk.call('cacp/project/get', { projectId })
  const repoId = (name: string) => repos.find((one) => one.name === name)?.repo_id ?? ''
  const send = (receipt: unknown, agentId = FRONTEND): Promise<unknown> =>
    desk.send('cacp/receipt/sync', { projectId, receipt }, as(agentId))
  const receiptOf = (name: string) => desk.store.view.projects.get(projectId)?.receipts.get(repoId(name))
  return { projectId, repoId, send, receiptOf }
}

describe('a receipt that a peer hands over', () => {
  test('is merged with what is known, and tells nothing twice', async () => {
    await using desk = await openDesk()
    const { repoId, send, receiptOf } = await openProject(desk)
    const repo_id = repoId('frontend-app')
    const later = sighting('a', addMicros(NINE, 5))
    expect(await send({ repo_id, seen: [later] })).toEqual({ status: 'created', repoId: repo_id })
    expect(await send({ repo_id, seen: [sighting('a'), sighting('b')] })).toMatchObject({ status: 'updated' })
    expect(await send({ repo_id, seen: [sighting('b')] })).toMatchObject({ status: 'skipped' })
    expect(receiptOf('frontend-app')).toEqual({ repo_id, seen: [sighting('b'), later] })
  })

  test('may be handed on by a daemon, which holds another repo', async () => {
    await using desk = await openDesk()
    const { repoId, send } = await openProject(desk)
    const receipt = { repo_id: repoId('frontend-app'), seen: [sighting('a')] }
    expect(await send(receipt, THIRD)).toMatchObject({ status: 'created' })
  })

  test('of a repo that a plain peer does not hold is refused, and its own is taken', async () => {
    await using desk = await openDesk()
    const { projectId, repoId, send, receiptOf } = await openProject(desk)
    const link = { agent_id: PLAIN, acked_seq: 0, aside: [], plain: true } as const
    await desk.store.commit(() => ({ result: null, local: [{ table: 'link', id: PLAIN, value: link }] }))
    await desk.send('cacp/project/join', { projectId, repoName: 'plain-api' }, as(PLAIN))
    const seen = [sighting('a')]
    expect(await send({ repo_id: repoId('frontend-app'), seen }, PLAIN)).toMatchObject({
      status: 'error',
      kind: 'forbidden',
      reason: expect.stringContaining('this peer speaks for its own repo only'),
    })
    expect(receiptOf('frontend-app')).toBeUndefined()
    expect(await send({ repo_id: repoId('plain-api'), seen }, PLAIN)).toMatchObject({ status: 'created' })
  })

  test.each<[string, (repo_id: string) => unknown, RegExp]>([
    ['of nobody', (repo_id) => ({ repo_id: `${repo_id}-x`, seen: [] }), /has no repo/],
    [
      'from the future',
      (repo_id) => ({ repo_id, seen: [sighting('a', '2027-01-01T00:00:00.000000Z' as Stamp)] }),
      /ahead of the clock/,
    ],
    ['of what is no entity', (repo_id) => ({ repo_id, seen: [sighting('../a')] }), /receipt.seen.0.key/],
    ['of no time', (repo_id) => ({ repo_id, seen: [{ ...sighting('a'), of: 'soon' }] }), /receipt.seen.0.of/],
    [
      'that goes on and on',
      (repo_id) => ({ repo_id, seen: Array.from({ length: 2001 }, (_, n) => sighting(`${n}`)) }),
      /receipt.seen/,
    ],
    ['that is none', () => ({}), /receipt.repo_id/],
  ])('%s is refused with the reason, as a result', async (_, forge, reason) => {
    await using desk = await openDesk()
    const { repoId, send, receiptOf } = await openProject(desk)
    expect(await send(forge(repoId('frontend-app')))).toMatchObject({
      status: 'error',
      reason: expect.stringMatching(reason),
    })
    expect(receiptOf('frontend-app')).toBeUndefined()
  })

  test('leaves the project as it is shown, and out of its times', async () => {
    await using desk = await openDesk()
    const { projectId, repoId, send } = await openProject(desk)
    const before = await desk.call('cacp/project/get', { projectId })
    await send({ repo_id: repoId('frontend-app'), seen: [sighting('a')] })
    expect(await desk.call('cacp/project/get', { projectId })).toEqual(before)
    expect(JSON.stringify(before)).not.toContain('"seen"')
    expect(before.created_by).toBe(BACKEND)
  })

  test('tells of the 2,000 things that were seen last', async () => {
    await using desk = await openDesk()
    const { repoId, send, receiptOf } = await openProject(desk)
    const repo_id = repoId('frontend-app')
    const seen = Array.from({ length: 2000 }, (_, n) => sighting(`k${n}`, addMicros(NINE, n)))
    await send({ repo_id, seen })
    await send({ repo_id, seen: [sighting('new', addMicros(NINE, 2000))] })
    const kept = receiptOf('frontend-app')?.seen ?? []
    expect(kept).toHaveLength(2000)
    expect([kept[0]?.key, kept.at(-1)?.key]).toEqual(['packet k1', 'packet new'])
  })
})
