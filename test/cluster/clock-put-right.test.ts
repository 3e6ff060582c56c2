import { describe, expect, test } from 'vitest'
import type { ReplicationRules } from '../../src/engine/replicate/rules.ts'
import { systemClock } from '../../src/io/system/clock.ts'
import { addMicros } from '../../src/protocol/stamp.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { BOUND, bothHealthy, FRONTEND, pair, peersOf } from './pairs.ts'
import { RULES } from './plain-story.ts'

const HOURS = 3600
/** Looks at its clock when it starts, and then never. */
const AT_START = { ...RULES, repairEveryMillis: 3_600_000 }

/** Two that are paired, one of which has a clock that is ahead by so many seconds, until it is set. */
async function pairOf(seconds: number, rules: ReplicationRules) {
  const wrong = { seconds }
  const now = () => addMicros(systemClock.now(), wrong.seconds * 1_000_000)
  const backend = await daemon({}, { rules, clock: { ...systemClock, now } })
  const frontend = await daemon(FRONTEND, { rules: RULES })
  wrong.seconds = 0
  await pair(backend, frontend)
  await bothHealthy(backend, frontend)
  wrong.seconds = seconds
  return { wrong, backend, frontend }
}

async function writeAt(at: TestDaemon): Promise<string> {
  const repos = ['backend-api', 'frontend-app'].map((name) => ({ name, role: 'shared', language: 'go' }))
  const { projectId } = await at.rpc('cacp/project/create', { name: 'Auth', objective: 'log in', repos })
  await at.rpc('cacp/contract/propose', { projectId, type: 'custom', name: 'Me', content: { path: '/me' } })
  await at.rpc('cacp/context/share', { projectId, type: 'decision', content: { text: 'we use JWT' } })
  return projectId
}

const refusedAt = async (at: TestDaemon): Promise<string[]> => {
  const [peer] = (await peersOf(at)) as { aside?: { reason: string }[] }[]
  return [...new Set((peer?.aside ?? []).map(({ reason }) => reason.replace(/^\w+: /, '')))]
}

/** All projects in full; undefined while there are none. */
async function shownAt(at: TestDaemon): Promise<unknown> {
  const { projects } = await at.rpc('cacp/project/overview')
  const all = projects.map(({ projectId }: { projectId: string }) =>
    at.rpc('cacp/project/get', { projectId }),
  )
  return all.length === 0 ? undefined : Promise.all(all)
}

describe('what was written while the clock was ahead', () => {
  test.each([
    ['6 hours, and put right by a restart', 6 * HOURS, AT_START, false],
    ['6 hours, and put right under way', 6 * HOURS, RULES, false],
    ['6 minutes, and put right under way', 360, RULES, false],
    ['6 hours, through a restart, and put right under way', 6 * HOURS, RULES, true],
  ])(
    'by %s is refused with the reason, and then said again without anybody doing anything',
    async (_, seconds, rules, isRestartedAhead) => {
      const { wrong, backend, frontend } = await pairOf(seconds, rules)
      await using _backend = backend
      await using _frontend = frontend
      const before = await writeAt(backend)
      await expect
        .poll(() => refusedAt(backend), BOUND)
        .toContain('at is more than 5 minutes ahead of this clock')
      expect(await shownAt(frontend)).toBeUndefined()
      if (isRestartedAhead) await backend.restart()

      wrong.seconds = 0
      if (rules === AT_START) await backend.restart()
      await expect.poll(() => shownAt(frontend), BOUND).toBeDefined()
      await expect
        .poll(
          async () => JSON.stringify(await shownAt(frontend)) === JSON.stringify(await shownAt(backend)),
          BOUND,
        )
        .toBe(true)
      expect(await shownAt(backend)).toMatchObject([
        { name: 'Auth', contracts: [{ name: 'Me' }], context_history: [{ type: 'decision' }] },
      ])
      await expect(backend.rpc('cacp/project/get', { projectId: before })).rejects.toThrow(/project/i)
      await expect.poll(() => refusedAt(backend), BOUND).toEqual([])

      // Whoever read of it can go on with it.
      const [{ projectId }] = (await frontend.rpc('cacp/project/overview')).projects
      await frontend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' })
      const { contracts } = await frontend.rpc('cacp/contract/list', { projectId })
      const { contractId } = contracts[0]
      await frontend.rpc('cacp/contract/respond', { projectId, contractId, action: 'agree' })
      const statusAt = async () => (await backend.rpc('cacp/contract/get', { projectId, contractId })).status
      await expect.poll(statusAt, BOUND).toBe('agreed')
    },
  )

  test('answers a call that is repeated under its key with the ids that there are now', async () => {
    const { wrong, backend, frontend } = await pairOf(6 * HOURS, AT_START)
    await using _backend = backend
    await using _frontend = frontend
    const create = () =>
      backend.rpc('cacp/project/create', { name: 'Auth', objective: 'log in', idempotencyKey: 'once' })
    const { projectId: before } = await create()
    const propose = () =>
      backend.rpc('cacp/contract/propose', {
        projectId: before,
        type: 'custom',
        name: 'Me',
        content: { path: '/me' },
        idempotencyKey: 'once more',
      })
    await propose()
    wrong.seconds = 0
    await backend.restart()
    const { projectId } = await create()
    const { contractId } = await propose()
    expect(projectId).not.toBe(before)
    expect(await backend.rpc('cacp/contract/get', { projectId, contractId })).toMatchObject({ name: 'Me' })
    expect((await backend.rpc('cacp/project/list')).projects).toHaveLength(1)
  })
})
