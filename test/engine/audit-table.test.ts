import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../src/domain/env.ts'
import type { AuditLine } from '../../src/domain/trust/audit.ts'
import { createAudit } from '../../src/engine/dispatch/audit.ts'
import { createDispatch, tableOf } from '../../src/engine/dispatch/dispatch.ts'
import { systemClock } from '../../src/io/system/clock.ts'
import { method } from '../../src/methods/row.ts'
import { METHODS } from '../../src/methods/table.ts'
import { Fault } from '../../src/protocol/fault.ts'
import { stampOfMillis } from '../../src/protocol/stamp.ts'

/** Whoever adds a method that only looks at something names it here; every other has to leave a line. */
const LOOKS: readonly string[] = [
  'cacp/gate/check',
  'cacp/brief',
  'cacp/context/getThread',
  'cacp/context/list',
  'cacp/contract/diff',
  'cacp/contract/get',
  'cacp/contract/list',
  'cacp/contract/review',
  'cacp/contract/unused',
  'cacp/feed/read',
  'cacp/file/list',
  'cacp/file/listRequests',
  'cacp/hub/status',
  'cacp/implementation/getStatus',
  'cacp/inbox/list',
  'cacp/lookup',
  'cacp/outbox/list',
  'cacp/peer/list',
  'cacp/person/todo',
  'cacp/project/current',
  'cacp/project/get',
  'cacp/project/list',
  'cacp/project/map',
  'cacp/project/overview',
  'cacp/project/summary',
  'cacp/run/get',
  'cacp/run/list',
  'cacp/search',
  'cacp/wait',
  'cacp/work/get',
  'cacp/work/list',
]
/** What peers say to each other leaves one where it was news, or failed. */
const SAYS: readonly string[] = [
  'cacp/context/sync',
  'cacp/contract/sync',
  'cacp/peer/announce',
  'cacp/project/sync',
  'cacp/repo/sync',
  'cacp/sync/buckets',
  'cacp/sync/digest',
  'cacp/sync/fetch',
  'cacp/sync/keys',
  'cacp/sync/statements',
]
const names = METHODS.map(({ name }): string => name)
const ACTS = names.filter((name) => !LOOKS.includes(name) && !SAYS.includes(name))

const CALLER: Caller = { kind: 'operator', agentId: 'aid://example.com/backend@1.0.0', repoName: 'backend' }

async function linesOf(name: string, outcome: () => Promise<unknown>): Promise<AuditLine[]> {
  const lines: AuditLine[] = []
  const trail = { record: (line: AuditLine) => lines.push(line), list: async () => [] }
  const audit = createAudit({ trail, clock: systemClock })
  const dispatch = createDispatch(tableOf(METHODS), audit.watch(outcome))
  await dispatch({ method: name, params: {}, caller: CALLER, idempotencyKey: undefined }).catch(() => {})
  return lines
}
const done = (result: object) => async () => result
const failed = () => Promise.reject(new Fault('conflict', 'no'))
const refused = () => Promise.reject(new Fault('forbidden', 'no'))

describe('the audit trail', () => {
  test.each(ACTS)('has a line for %s, which acts, and for its failure', async (name) => {
    expect(await linesOf(name, done({}))).toMatchObject([{ outcome: 'allowed', what: name }])
    expect(await linesOf(name, failed)).toMatchObject([{ outcome: 'allowed', what: name, fault: 'conflict' }])
  })

  test.each(SAYS)('has a line for %s where it was news, or failed', async (name) => {
    expect(await linesOf(name, done({ status: 'updated' }))).toMatchObject([{ what: name }])
    expect(await linesOf(name, failed)).toMatchObject([{ what: name, fault: 'conflict' }])
    expect(await linesOf(name, done({ status: 'skipped' }))).toEqual([])
  })

  test.each(LOOKS)('has none for %s, which only looks, unless it is refused', async (name) => {
    expect(await linesOf(name, done({}))).toEqual([])
    expect(await linesOf(name, failed)).toEqual([])
    expect(await linesOf(name, refused)).toMatchObject([{ outcome: 'refused', what: name }])
  })

  test('has a line for the first look of a page at a list, and not for each', async () => {
    const lines: AuditLine[] = []
    const trail = { record: (line: AuditLine) => lines.push(line), list: async () => [] }
    let now = Date.UTC(2026, 0, 19)
    const audit = createAudit({ trail, clock: { now: () => stampOfMillis(now) } })
    const dispatch = createDispatch(tableOf(METHODS), audit.watch(done({})))
    const look = async (credential: string) => {
      const caller: Caller = { ...CALLER, credential, person: { session: credential } }
      await dispatch({ method: 'cacp/token/list', params: {}, caller, idempotencyKey: undefined })
      now += 5000
    }
    for (const session of ['one', 'one', 'other', 'one', 'other']) await look(session)
    now += 3_600_000
    await look('one')
    expect(lines.map(({ credential }) => credential)).toEqual(['one', 'other', 'one'])
    for (let times = 0; times < 2; times++)
      await dispatch({ method: 'cacp/token/list', params: {}, caller: CALLER, idempotencyKey: undefined })
    expect(lines.length, 'each call with the key').toBe(5)
  })

  test('is told of every method that is named here', () => {
    expect(names).toEqual(expect.arrayContaining([...LOOKS, ...SAYS]))
  })
})

test('a row whose access does not say whether it acts has to say it itself', () => {
  const row = { name: 'x', summary: 's', params: z.object({}), result: z.object({}) }
  const example = { params: {}, result: {} }
  // @ts-expect-error: neither what peers nor what askers may do is noted, or left out, by itself
  method({ ...row, example, access: 'run' })
  // @ts-expect-error: what is written is always noted
  method({ ...row, example, access: 'write', noted: 'never' })
  method({ ...row, example, access: 'run', noted: 'always' })
})
