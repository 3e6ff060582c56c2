import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallFault, Outcome } from '../../../../src/ui/call/fault.ts'
import { type FollowedRun, followRun } from '../../../../src/ui/screens/runs/follow-run.ts'
import { isOver, type Run, tookOf } from '../../../../src/ui/screens/runs/status.ts'
import { tailOf } from '../../../../src/ui/screens/runs/tail.ts'

const AT = '2026-11-16T09:00:00.000000Z'
const RUN: Run = {
  run_id: 'r1',
  status: 'in_progress',
  work_type: 'answer_question',
  prompt: 'Who are you?',
  asked_by: 'aid://example.com/frontend@1.0.0',
  dialect: 'chiffon',
  request_id: 'q1',
  session_id: null,
  runner: 'command',
  attempt: 1,
  created_at: AT,
  ended_at: null,
  last_sequence: 0,
  failure: null,
}
const EVENTS = [
  { type: 'started', attempt: 1, runner: 'command' },
  { type: 'text', delta: 'I am ' },
  { type: 'step', number: 1, name: 'think', output: '', progress: 50, status: 'running' },
  { type: 'text', delta: 'the agent' },
  { type: 'completed', output: null, attempt: 1, duration_ms: 5, exit_code: 0, cpu_ms: null },
].map((event, index) => ({ ...event, sequence: index + 1, at: AT }))

const UNREACHABLE: CallFault = { kind: 'unreachable', message: 'no answer', data: {} }

/** A daemon that has so many events more at each call, and fails where it says so. */
function daemonWith(steps: readonly (number | 'fails')[]) {
  const asked: number[] = []
  let had = 0
  return {
    asked,
    ask: (after: number): Promise<Outcome<{ run: Run; events: object[] }>> => {
      const step = steps[asked.length] ?? EVENTS.length
      asked.push(after)
      if (step === 'fails') return Promise.resolve({ ok: false, fault: UNREACHABLE })
      had = Math.min(EVENTS.length, had + step)
      const status = had === EVENTS.length ? 'completed' : 'in_progress'
      const run: Run = { ...RUN, status, last_sequence: had }
      return Promise.resolve({ ok: true, result: { run, events: EVENTS.slice(after, had) } })
    },
  }
}

async function follow(steps: readonly (number | 'fails')[]) {
  const { ask, asked } = daemonWith(steps)
  const told: FollowedRun[] = []
  const faults: CallFault[] = []
  const goOn = () => Promise.resolve(true)
  await followRun({ ask, tell: (known) => told.push(known), failed: (fault) => faults.push(fault), goOn })
  return { asked, told, faults, texts: told.map(({ result }) => result.text) }
}

describe('a run that is looked at', () => {
  test('is followed event by event to its end, and no further', async () => {
    const { asked, texts, told } = await follow([2, 2, 1])
    expect(asked).toEqual([0, 2, 4])
    expect(texts).toEqual(['I am ', 'I am the agent', 'I am the agent'])
    expect(told.at(-1)).toMatchObject({
      run: { status: 'completed' },
      result: { progress: 100, exit_code: 0 },
    })
  })

  test('goes on after a failure from where it was, and says that there was one', async () => {
    const { asked, faults, texts } = await follow([2, 'fails', 'fails', 3])
    expect(asked).toEqual([0, 2, 2, 2])
    expect(faults).toHaveLength(2)
    expect(texts.at(-1)).toBe('I am the agent')
  })

  test('tells the same in whatever pieces it comes', async () => {
    const pieces = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant('fails' as const)), {
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(pieces, async (steps) => {
        const { told } = await follow(steps)
        expect(told.at(-1)?.result).toMatchObject({ text: 'I am the agent', last_sequence: EVENTS.length })
      }),
    )
  })

  test('is left when nobody looks any more', async () => {
    const { ask, asked } = daemonWith([1, 1, 1])
    let looks = 2
    await followRun({ ask, tell: () => {}, failed: () => {}, goOn: () => Promise.resolve(--looks > 0) })
    expect(asked).toEqual([0, 1])
  })
})

describe('the end of a long text', () => {
  test('is its last lines, and says how much comes before', () => {
    expect(tailOf('a\nb\nc\n', 2)).toEqual({ text: 'b\nc\n', before: 2 })
    expect(tailOf('a\nb', 5)).toEqual({ text: 'a\nb', before: 0 })
    expect(tailOf('', 5)).toEqual({ text: '', before: 0 })
  })

  test('is never longer than a page can show, and together with what is before it all of the text', () => {
    const texts = fc.array(fc.string({ maxLength: 30 }), { maxLength: 20 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 10 }), (text, lines) => {
        const tail = tailOf(text, lines)
        expect(text.slice(0, tail.before) + tail.text).toBe(text)
        expect(tail.text.replace(/\n$/, '').split('\n').length).toBeLessThanOrEqual(lines)
      }),
    )
    expect(tailOf('x'.repeat(1_000_000), 3).text.length).toBe(60_000)
  })
})

test('how long a run took is told, or has taken so far', () => {
  const now = Date.parse('2026-11-16T09:02:05Z')
  expect(tookOf(AT, '2026-11-16T09:00:00.420000Z', now)).toBe('0.4 s')
  expect(tookOf(AT, '2026-11-16T09:01:00.000000Z', now)).toBe('1 min')
  expect(tookOf(AT, null, now)).toBe('2 min')
  const statuses: Run['status'][] = ['created', 'in_progress', 'completed', 'failed']
  expect(statuses.map(isOver)).toEqual([false, false, true, true])
})
