import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import type { AuditLine } from '../../../src/domain/trust/audit.ts'
import { createAudit } from '../../../src/engine/dispatch/audit.ts'
import { createDispatch, type Dispatch, tableOf } from '../../../src/engine/dispatch/dispatch.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import type { From } from '../../../src/methods/services.ts'
import { METHODS } from '../../../src/methods/table.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { Author } from '../../domain/statements/author.ts'

const PEER: Caller = {
  kind: 'peer',
  agentId: 'aid://example.com/web@1.0.0',
  repoName: 'web',
  credential: '0123abcd',
}
const TABLE = tableOf(METHODS)
const ORIGIN = { address: '127.0.0.1', requestId: 'x-1' }

/** What is noted of one call that ends so. */
async function notedOf(call: Partial<Parameters<Dispatch>[0]>, outcome: () => Promise<unknown>) {
  const lines: AuditLine[] = []
  const trail = { record: (line: AuditLine) => lines.push(line), list: async () => [] }
  const dispatch = createDispatch(TABLE, createAudit({ trail, clock: systemClock }).watch(outcome))
  const whole = { method: 'cacp/contract/sync', params: {}, caller: PEER, idempotencyKey: undefined, ...call }
  await dispatch(whole).catch(() => {})
  return lines
}

describe('statements that were taken in', () => {
  const NOW = systemClock.now()
  const [web, other] = [new Author('web'), new Author('other')]

  function linesOf(from: From, ...statements: Statement[]): AuditLine[] {
    const lines: AuditLine[] = []
    const trail = { record: (line: AuditLine) => lines.push(line), list: async () => [] }
    createAudit({ trail, clock: systemClock }).taken(from, statements)
    return lines
  }

  test('are a line for each project, with what they are about and who handed them over', () => {
    const [one, two] = [web.found(NOW), other.found(NOW)]
    const claim = web.claim(one.project_id, 'web', NOW)
    const lines = linesOf({ caller: PEER, origin: ORIGIN }, one, claim, two)
    const line = {
      outcome: 'allowed',
      agentId: PEER.agentId,
      what: 'cacp/sync/statements',
      from: '127.0.0.1',
    }
    expect(lines).toMatchObject([
      { ...line, projectId: one.project_id, ids: [claim.about] },
      { ...line, projectId: two.project_id },
    ])
    expect(lines[1]?.ids).toBeUndefined()
  })

  test('have no address where this daemon fetched them', () => {
    const [line] = linesOf({ caller: PEER }, web.found(NOW))
    expect(line).toMatchObject({ agentId: PEER.agentId, credential: '0123abcd' })
    expect(line?.from).toBeUndefined()
  })
})

describe('a watched dispatch', () => {
  test('answers what the dispatch answers', async () => {
    const trail = { record: () => {}, list: async () => [] }
    const audit = createAudit({ trail, clock: systemClock })
    const call = { method: 'cacp/project/get', params: {}, caller: PEER, idempotencyKey: undefined }
    const answering = createDispatch(
      TABLE,
      audit.watch(async () => 'answer'),
    )
    expect(await answering(call)).toBe('answer')
    const failing = createDispatch(
      TABLE,
      audit.watch(() => Promise.reject(new Fault('conflict', 'no'))),
    )
    await expect(failing(call)).rejects.toThrow('no')
  })

  test('notes a change that this daemon fetched from a peer, without an address', async () => {
    const [line] = await notedOf({ params: { projectId: 'p' } }, async () => ({
      status: 'updated',
      contractId: 'c',
    }))
    expect(line).toEqual({
      at: expect.any(String),
      outcome: 'allowed',
      caller: 'peer',
      agentId: PEER.agentId,
      credential: '0123abcd',
      what: 'cacp/contract/sync',
      projectId: 'p',
      ids: ['c'],
    })
  })

  test.each([
    ['a merge that learned nothing', 'cacp/contract/sync', { status: 'skipped' }],
    ['a comparison', 'cacp/sync/digest', { projects: [] }],
    ['a plain read', 'cacp/project/get', { projectId: 'p' }],
    ['a method that nobody knows', 'cacp/none', {}],
  ])('notes nothing of %s', async (_what, method, result) => {
    expect(await notedOf({ method, origin: ORIGIN }, async () => result)).toEqual([])
  })

  test('notes that a peer begins to speak', async () => {
    const lines = await notedOf({ method: 'cacp/sync/hello', origin: ORIGIN }, async () => ({ received: 0 }))
    expect(lines).toMatchObject([{ outcome: 'allowed', what: 'cacp/sync/hello', from: '127.0.0.1' }])
  })

  test('notes what a peer sent and is refused in a result', async () => {
    const refusal = { status: 'error', reason: 'not yours', kind: 'forbidden', retryable: false }
    const lines = await notedOf({ params: { projectId: 'p' }, origin: ORIGIN }, async () => refusal)
    expect(lines).toMatchObject([
      { outcome: 'refused', fault: 'forbidden', projectId: 'p', requestId: 'x-1' },
    ])
  })

  test('notes a refused read', async () => {
    const refuse = () => Promise.reject(new Fault('not_member', 'no'))
    expect(await notedOf({ method: 'cacp/project/get' }, refuse)).toMatchObject([
      { outcome: 'refused', fault: 'not_member' },
    ])
  })

  test('bounds the ids that a caller makes up, and takes only text for one', async () => {
    const params = { projectId: 'x'.repeat(10_000), contractId: { toString: 1 }, repoId: 7 }
    const [line] = await notedOf({ method: 'cacp/contract/propose', params }, () =>
      Promise.reject(new Fault('invalid_params', 'no')),
    )
    expect(line?.projectId).toHaveLength(256)
    expect(line?.ids).toBeUndefined()
  })
})
