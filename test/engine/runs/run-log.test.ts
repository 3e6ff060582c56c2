import { expect, test, vi } from 'vitest'
import type { RunFile, RunFiles } from '../../../src/engine/ports/run-ports.ts'
import { createRunLog } from '../../../src/engine/runs/run-log.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import { systemTimers } from '../../../src/io/system/timers.ts'
import type { RunEvent } from '../../../src/protocol/run/event.ts'

const DONE = {
  type: 'completed',
  output: null,
  attempt: 1,
  duration_ms: 1,
  exit_code: null,
  cpu_ms: null,
} as const

/** A file in memory whose every step the test can hold up. */
function fileWith(steps: Partial<Pick<RunFile, 'append' | 'sync'>> = {}) {
  const lines: string[] = []
  const file: RunFile = {
    size: 0,
    append: async (text) => {
      lines.push(text)
      await steps.append?.(text)
    },
    sync: steps.sync ?? (async () => {}),
    close: async () => {},
  }
  const events = () =>
    lines
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): RunEvent => JSON.parse(line))
  const files = {
    async *read(_runId: string, after: number) {
      yield events().filter(({ sequence }) => sequence > after)
    },
  } as Pick<RunFiles, 'read'> as RunFiles
  const log = createRunLog({
    runId: 'run',
    file,
    files,
    clock: systemClock,
    timers: systemTimers,
    sequence: 0,
  })
  return { log, events }
}

test.each([0, 1, 2, 3, 4, 5])('an end that comes %i ticks after a write is written too', async (ticks) => {
  let release = () => {}
  const append = vi.fn(async () => {})
  append.mockImplementationOnce(() => new Promise<void>((resolve) => (release = resolve)))
  const { log, events } = fileWith({ append })
  await log.append({ type: 'text', delta: 'a' })
  await vi.waitFor(() => expect(append).toHaveBeenCalled())
  release()
  for (let tick = 0; tick < ticks; tick++) await null
  await log.showEnd(await log.writeEnd(DONE))
  expect(events().map(({ type }) => type)).toEqual(['text', 'completed'])
})

test('a reader that has fallen behind does not hear of the end before it is on disk either', async () => {
  let release = () => {}
  const synced = new Promise<void>((resolve) => (release = resolve))
  const { log } = fileWith({ sync: () => synced })
  for (let count = 0; count < 30; count++) await log.append({ type: 'text', delta: 'x'.repeat(50_000) })
  await log.written()
  const ended = vi.fn()
  const ending = log.writeEnd(DONE).then((end) => {
    ended()
    return log.showEnd(end)
  })
  await log.written()
  const types: string[] = []
  const reading = (async () => {
    for await (const events of log.follow(0, undefined))
      for (const { type } of events) {
        if (type === 'completed') expect(ended).toHaveBeenCalled()
        types.push(type)
      }
  })()
  await vi.waitFor(() => expect(types).toHaveLength(30))
  release()
  await Promise.all([ending, reading])
  expect(types.at(-1)).toBe('completed')
})
