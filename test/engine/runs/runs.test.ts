import { appendFile, readFile, stat } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import {
  type RunContext,
  RunError,
  type RunFiles,
  type RunHead,
} from '../../../src/engine/ports/run-ports.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import type { RunEvent } from '../../../src/protocol/run/event.ts'
import { ODD_TEXT, requestWith } from '../../support/dialects/run-events.ts'
import { eventsOf, OPERATOR, openTestRuns, PEER } from '../../support/runs/test-runs.ts'

const echo = (text: string, more: object = {}, id = 'r1') =>
  requestWith({ request_id: id, work_type: 'echo', parameters: { text, ...more } })

/** A runner that tells one word and then works until it is told to stop. */
async function endless({ emit, signal }: RunContext) {
  await emit({ type: 'text', delta: 'working' })
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  return {}
}

const hang = { hang: (_request: unknown, context: RunContext) => endless(context) }

const kindOf = (error: unknown) => (error instanceof Fault ? error.kind : error)

describe('a run', () => {
  test('starts once, ends once, and numbers its events without gaps', async () => {
    await using opened = await openTestRuns()
    const { run, isNew } = await opened.runs.start(echo(ODD_TEXT, { repeat: 3 }), OPERATOR)
    expect(isNew).toBe(true)
    const events = await eventsOf(opened.runs, run)
    expect(events.map(({ type }) => type)).toEqual(['started', 'text', 'text', 'text', 'completed'])
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
    expect(await opened.runs.result(run.run_id, OPERATOR)).toMatchObject({
      status: 'completed',
      text: ODD_TEXT.repeat(3),
    })
    expect(opened.runs.get(run.run_id, OPERATOR)).toMatchObject({ status: 'completed', last_sequence: 5 })
  })

  test('is followed from any number, live and afterwards, with the same events', async () => {
    await using opened = await openTestRuns()
    const { run } = await opened.runs.start(echo('x', { repeat: 5, delay_ms: 10 }), OPERATOR)
    const live = await eventsOf(opened.runs, run)
    const later: RunEvent[] = []
    for await (const events of opened.runs.follow(run.run_id, OPERATOR, { after: 4 })) later.push(...events)
    expect(later).toEqual(live.slice(4))
    expect(await eventsOf(opened.runs, run)).toEqual(live)
  })

  test('goes on when a reader leaves in the middle', async () => {
    await using opened = await openTestRuns()
    const { run } = await opened.runs.start(echo('x', { repeat: 5, delay_ms: 10 }), OPERATOR)
    for await (const _ of opened.runs.follow(run.run_id, OPERATOR)) break
    expect((await eventsOf(opened.runs, run)).at(-1)).toMatchObject({ type: 'completed' })
  })

  test('keeps little in memory: a reader that falls behind reads from disk and misses nothing', async () => {
    await using opened = await openTestRuns()
    const text = 'abcdefghij'.repeat(1000)
    const { run } = await opened.runs.start(echo(text, { repeat: 300 }), OPERATOR)
    const events: RunEvent[] = []
    let batches = 0
    for await (const batch of opened.runs.follow(run.run_id, OPERATOR)) {
      if (++batches <= 20) await new Promise((resolve) => setTimeout(resolve, 2))
      events.push(...batch)
    }
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 302 }, (_, index) => index + 1),
    )
  })

  test('fails with what the runner says, and tells nothing of what it does not say', async () => {
    await using opened = await openTestRuns({
      runners: {
        sorry: () =>
          Promise.reject(new RunError({ kind: 'invalid_params', message: 'parameters.x is required' })),
        broken: () => Promise.reject(new Error('/home/secret is gone')),
      },
    })
    const ends = []
    for (const work_type of ['sorry', 'broken']) {
      const { run } = await opened.runs.start(requestWith({ request_id: work_type, work_type }), OPERATOR)
      ends.push((await eventsOf(opened.runs, run)).at(-1))
    }
    expect(ends).toMatchObject([
      { type: 'failed', kind: 'invalid_params', message: 'parameters.x is required', retryable: false },
      { type: 'failed', kind: 'internal', retryable: true },
    ])
    expect(JSON.stringify(ends)).not.toContain('secret')
  })

  test('that takes longer than its hint allows fails as a time-out', async () => {
    await using opened = await openTestRuns({ runners: hang })
    const hints = { max_duration_seconds: 0.05 }
    const { run } = await opened.runs.start(requestWith({ work_type: 'hang', hints }), OPERATOR)
    const events = await eventsOf(opened.runs, run)
    expect(events.at(-1)).toMatchObject({ type: 'failed', kind: 'timeout', retryable: true })
  })

  test('that tells more than it may is ended', async () => {
    await using opened = await openTestRuns({ rules: { runBytes: 20_000 } })
    const { run } = await opened.runs.start(echo('x'.repeat(1000), { repeat: 1000 }), OPERATOR)
    const events = await eventsOf(opened.runs, run)
    expect(events.at(-1)).toMatchObject({ type: 'failed', kind: 'output_limit' })
    expect(events.length).toBeLessThan(100)
  })

  test('that is silent says that it is still at work', async () => {
    await using opened = await openTestRuns({ runners: hang, rules: { heartbeatMillis: 10 } })
    const { run } = await opened.runs.start(requestWith({ work_type: 'hang' }), OPERATOR)
    for await (const events of opened.runs.follow(run.run_id, OPERATOR))
      if (events.some(({ type }) => type === 'heartbeat')) break
    await opened.runs.cancel(run.run_id, OPERATOR)
  })
})

describe('canceling', () => {
  test('ends a run, once, and its readers hear it', async () => {
    await using opened = await openTestRuns({ runners: hang })
    const { run } = await opened.runs.start(requestWith({ work_type: 'hang' }), OPERATOR)
    const reading = eventsOf(opened.runs, run)
    expect(await opened.runs.cancel(run.run_id, OPERATOR, 'enough')).toMatchObject({ status: 'canceled' })
    expect((await reading).at(-1)).toMatchObject({ type: 'canceled', reason: 'enough' })
    expect(await opened.runs.cancel(run.run_id, OPERATOR)).toMatchObject({ status: 'canceled' })
    expect((await eventsOf(opened.runs, run)).filter(({ type }) => type === 'canceled')).toHaveLength(1)
  })

  test('happens by itself when nobody follows any more, where that was asked for', async () => {
    await using opened = await openTestRuns({ runners: hang, rules: { unwatchedMillis: 30 } })
    const { runs } = opened
    const start = (id: string, cancelWhenUnwatched: boolean) =>
      runs.start(requestWith({ request_id: id, work_type: 'hang' }), OPERATOR, { cancelWhenUnwatched })
    const { run: watched } = await start('a', true)
    const { run: task } = await start('b', false)
    for await (const _ of runs.follow(watched.run_id, OPERATOR)) break
    await vi.waitFor(() => expect(runs.get(watched.run_id, OPERATOR).status).toBe('canceled'))
    expect(runs.get(task.run_id, OPERATOR).status).toBe('in_progress')
  })
})

describe('the same request again', () => {
  test('is the same run, also when both come at once', async () => {
    await using opened = await openTestRuns()
    const [one, two] = await Promise.all([
      opened.runs.start(echo('a'), OPERATOR),
      opened.runs.start({ ...echo('a'), wire: { message_id: 'other' } }, OPERATOR),
    ])
    expect(two.run.run_id).toBe(one.run.run_id)
    expect([one.isNew, two.isNew].sort()).toEqual([false, true])
    expect(opened.runs.list({}, OPERATOR)).toHaveLength(1)
  })

  test('with another payload is refused', async () => {
    await using opened = await openTestRuns()
    await opened.runs.start(echo('a'), OPERATOR)
    const refused = await opened.runs.start(echo('b'), OPERATOR).catch(kindOf)
    expect(refused).toBe('idempotency_conflict')
  })

  test('from another asker or in another dialect is another run', async () => {
    await using opened = await openTestRuns()
    const { run } = await opened.runs.start(echo('a'), OPERATOR)
    const others = [
      await opened.runs.start(echo('b'), PEER),
      await opened.runs.start({ ...echo('c'), dialect: 'a2a' as const }, OPERATOR),
    ]
    expect(new Set([run.run_id, ...others.map((other) => other.run.run_id)]).size).toBe(3)
  })

  test('is still the same run after a restart', async () => {
    await using opened = await openTestRuns()
    const { run } = await opened.runs.start(echo('a'), OPERATOR)
    await eventsOf(opened.runs, run)
    const runs = await opened.reopen()
    const again = await runs.start(echo('a'), OPERATOR)
    expect(again).toMatchObject({ isNew: false, run: { run_id: run.run_id, status: 'completed' } })
    expect(await runs.result(run.run_id, OPERATOR)).toMatchObject({ text: 'a' })
    expect(await runs.start(echo('b'), OPERATOR).catch(kindOf)).toBe('idempotency_conflict')
  })
})

describe('after a crash', () => {
  test('a run that was at work has failed as interrupted, and a retry is its second attempt', async () => {
    await using opened = await openTestRuns({ runners: hang })
    const request = requestWith({ work_type: 'hang' })
    const { run } = await opened.runs.start(request, OPERATOR)
    for await (const events of opened.runs.follow(run.run_id, OPERATOR))
      if (events.some(({ type }) => type === 'text')) break
    await using runs = await opened.crashed()
    expect(runs.get(run.run_id, OPERATOR)).toMatchObject({
      status: 'failed',
      attempt: 1,
      failure: { kind: 'interrupted', retryable: true },
    })
    const again = await runs.start(request, OPERATOR, { retryFailed: true })
    expect(again).toMatchObject({
      isNew: false,
      run: { run_id: run.run_id, attempt: 2, status: 'in_progress' },
    })
    await runs.cancel(run.run_id, OPERATOR)
    const events = await eventsOf(runs, run)
    expect(events.map(({ type }) => type)).toEqual(['started', 'text', 'canceled'])
    expect(events[0]).toMatchObject({ attempt: 2, sequence: 4 })
    expect(await runs.retry(run.run_id, OPERATOR).catch(kindOf)).toBe('conflict')
  })

  test('a half-written line is cut off', async () => {
    await using opened = await openTestRuns({ runners: hang })
    const { run } = await opened.runs.start(requestWith({ work_type: 'hang' }), OPERATOR)
    for await (const events of opened.runs.follow(run.run_id, OPERATOR))
      if (events.some(({ type }) => type === 'text')) break
    await vi.waitFor(async () => expect(await readFile(opened.path(run.run_id), 'utf8')).toContain('working'))
    await appendFile(opened.path(run.run_id), '{"type":"text","del')
    await using runs = await opened.crashed()
    const events = await eventsOf(runs, run)
    expect(events.map(({ type }) => type)).toEqual(['started', 'text', 'failed'])
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  test('a stop also ends what was just about to start', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const wrapFiles = (files: RunFiles): RunFiles => ({
      ...files,
      create: (head) => held.then(() => files.create(head)),
    })
    await using opened = await openTestRuns({ runners: hang, wrapFiles })
    const starting = opened.runs.start(requestWith({ work_type: 'hang' }), OPERATOR)
    // It has a place by now, and waits for the disk.
    await new Promise((resolve) => setImmediate(resolve))
    const stopping = opened.runs[Symbol.asyncDispose]()
    release()
    await stopping
    const { run } = await starting
    expect(opened.runs.get(run.run_id, OPERATOR)).toMatchObject({
      status: 'failed',
      failure: { kind: 'interrupted' },
    })
  })

  test('a stop in order leaves nothing at work, and says so on disk', async () => {
    await using opened = await openTestRuns({ runners: hang })
    const { run } = await opened.runs.start(requestWith({ work_type: 'hang' }), OPERATOR)
    const reading = eventsOf(opened.runs, run)
    await opened.reopen()
    expect((await reading).at(-1)).toMatchObject({ type: 'failed', kind: 'interrupted', retryable: true })
  })
})

describe('bounds', () => {
  test('too many runs at once are refused as busy', async () => {
    await using opened = await openTestRuns({ runners: hang, limit: 2 })
    const start = (id: string) =>
      opened.runs.start(requestWith({ request_id: id, work_type: 'hang' }), OPERATOR)
    const all = await Promise.allSettled(['a', 'b', 'c'].map(start))
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    const refused = await start('d').catch((error: Fault) => error)
    expect(refused).toMatchObject({ kind: 'busy', data: { limit_name: 'concurrent_runs', required: 1 } })
  })

  test('a session does one thing at a time, where that is asked for', async () => {
    await using opened = await openTestRuns({ runners: hang })
    const start = (id: string, session_id: string) =>
      opened.runs.start(requestWith({ request_id: id, work_type: 'hang', session_id }), OPERATOR, {
        oneAtATime: true,
      })
    await start('a', 's1')
    expect(await start('b', 's1').catch(kindOf)).toBe('session_busy')
    await start('c', 's2')
  })

  test('unknown work is refused with what there is instead', async () => {
    await using opened = await openTestRuns()
    const refused = await opened.runs
      .start(requestWith({ work_type: 'fly' }), OPERATOR)
      .catch((e: Fault) => e)
    expect(refused).toMatchObject({
      kind: 'unsupported_work_type',
      data: { work_type_requested: 'fly', supported_types: ['echo'] },
    })
  })

  test.each(['x'.repeat(100_000), 'a\0b'])('work of a type that is no word is refused', async (work_type) => {
    await using opened = await openTestRuns({ runners: { [work_type]: async () => ({}) } })
    const refused = await opened.runs.start(requestWith({ work_type }), OPERATOR).catch((e: Fault) => e)
    expect(refused).toMatchObject({ kind: 'invalid_params', data: { field: 'work_type' } })
  })

  test('old runs are forgotten, their files too', async () => {
    await using opened = await openTestRuns({ rules: { keptRuns: 2 } })
    const started: string[] = []
    for (const id of ['a', 'b', 'c']) {
      const { run } = await opened.runs.start(echo(id, {}, id), OPERATOR)
      await eventsOf(opened.runs, run)
      started.push(run.run_id)
    }
    await vi.waitFor(() => expect(opened.runs.list({}, OPERATOR)).toHaveLength(2))
    expect(opened.runs.list({}, OPERATOR).map(({ request }) => request.request_id)).toEqual(['c', 'b'])
    await vi.waitFor(async () => {
      expect(await stat(opened.path(started[0] ?? '')).catch(() => 'gone')).toBe('gone')
    })
  })
})

describe('a disk that takes no more', () => {
  /** Takes so many appends to each file, the head being the first. */
  const fullAfter = (appends: number) => (files: RunFiles) => ({
    ...files,
    create: async (head: RunHead) => {
      const file = await files.create(head)
      let left = appends
      return {
        ...file,
        get size() {
          return file.size
        },
        append: (text: string) => (left-- > 0 ? file.append(text) : Promise.reject(new Error('ENOSPC'))),
      }
    },
  })

  test('ends the run, and its readers hear of it', async () => {
    await using opened = await openTestRuns({ wrapFiles: fullAfter(3) })
    const { run } = await opened.runs.start(echo('x', { repeat: 100, delay_ms: 1 }), OPERATOR)
    const events = await eventsOf(opened.runs, run)
    expect(events.at(-1)).toMatchObject({ type: 'failed', kind: 'storage', retryable: true })
    expect(events.length).toBeLessThan(20)
    expect((await eventsOf(opened.runs, run)).at(-1)).toMatchObject({ type: 'failed', kind: 'storage' })
  })

  test('that refuses only the end makes it a failure, which can be tried again', async () => {
    await using opened = await openTestRuns({ wrapFiles: fullAfter(0) })
    const { run } = await opened.runs.start(echo('x'), OPERATOR)
    expect((await eventsOf(opened.runs, run)).at(-1)).toMatchObject({ type: 'failed', retryable: true })
    expect(opened.runs.get(run.run_id, OPERATOR)).toMatchObject({ status: 'failed' })
  })

  test('leaves nothing behind that spoils another attempt, now or after a restart', async () => {
    const half = (files: RunFiles) => ({
      ...files,
      create: async (head: RunHead) => {
        const file = await files.create(head)
        let left = 3
        const append = async (text: string) => {
          if (left-- > 0) return file.append(text)
          if (left === -1) await file.append(text.slice(0, 10))
          throw new Error('ENOSPC')
        }
        return { ...file, size: 0, append }
      },
    })
    await using opened = await openTestRuns({ wrapFiles: half })
    const { run } = await opened.runs.start(echo('x', { repeat: 20, delay_ms: 1 }), OPERATOR)
    const failed = (await eventsOf(opened.runs, run)).at(-1)
    expect(failed).toMatchObject({ type: 'failed', kind: 'storage' })
    await opened.runs.retry(run.run_id, OPERATOR)
    const events = await eventsOf(opened.runs, run)
    expect(events[0]).toMatchObject({ type: 'started', attempt: 2, sequence: (failed?.sequence ?? 0) + 1 })
    expect(events.at(-1)).toMatchObject({ type: 'completed' })
    expect(await eventsOf(opened.runs, run)).toEqual(events)
    expect(await eventsOf(await opened.reopen(), run)).toEqual(events)
  })

  test('is a refusal where the request itself cannot be kept, and nothing runs', async () => {
    const ran = vi.fn()
    await using opened = await openTestRuns({
      runners: { work: async () => ran() ?? {} },
      wrapFiles: (files) => ({
        ...files,
        create: () => Promise.reject(new Fault('storage_full', 'no room')),
      }),
    })
    const request = requestWith({ work_type: 'work' })
    expect(await opened.runs.start(request, OPERATOR).catch(kindOf)).toBe('storage_full')
    expect(await opened.runs.start(request, OPERATOR).catch(kindOf)).toBe('storage_full')
    expect(ran).not.toHaveBeenCalled()
    expect(opened.runs.list({}, OPERATOR)).toEqual([])
  })
})

describe('who sees a run', () => {
  test('its asker and the operator, and for others there is none', async () => {
    await using opened = await openTestRuns()
    const { run } = await opened.runs.start(echo('a'), PEER)
    const other = { ...PEER, agentId: 'aid://example.com/mobile@1.0.0' }
    expect(opened.runs.get(run.run_id, OPERATOR).asked_by.agent_id).toBe(PEER.agentId)
    expect(opened.runs.list({}, PEER)).toHaveLength(1)
    expect(opened.runs.list({}, other)).toHaveLength(0)
    expect(await opened.runs.result(run.run_id, other).catch(kindOf)).toBe('not_found')
    expect(opened.runs.find('cap', 'r1', other)).toBeUndefined()
  })

  test('a session tells the newest that was said in it, and not more than fits in memory', async () => {
    await using opened = await openTestRuns()
    for (const id of ['one', 'two', 'three', 'four']) {
      const request = echo('x'.repeat(10_000), { repeat: 105 }, id)
      const { run } = await opened.runs.start({ ...request, session_id: 's' }, PEER)
      await eventsOf(opened.runs, run, PEER)
    }
    const turns = await opened.runs.history('s', PEER)
    const told = turns.map(({ run_id }) => opened.runs.get(run_id, PEER).request.request_id)
    expect(told).toEqual(['three', 'four'])
  })

  test('a session tells what was said in it before', async () => {
    await using opened = await openTestRuns()
    for (const id of ['one', 'two']) {
      const { run } = await opened.runs.start({ ...echo(id, {}, id), session_id: 's' }, PEER)
      await eventsOf(opened.runs, run, PEER)
    }
    expect((await opened.runs.history('s', PEER)).map(({ text }) => text)).toEqual(['one', 'two'])
    expect(await opened.runs.history('other', PEER)).toEqual([])
  })
})
