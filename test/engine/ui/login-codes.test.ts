import { expect, test } from 'vitest'
import { createLoginCodes } from '../../../src/engine/ui/login-codes.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { type Stamp, stampOfMillis } from '../../../src/protocol/stamp.ts'

const USE = { sessionId: '1f3a5c7d', userAgent: 'a browser', address: '127.0.0.1' }

/** Codes over a time that passes only when a test says so. */
function codesOverTime() {
  let millis = Date.UTC(2026, 10, 16)
  let count = 0
  const waiting = new Set<{ at: number; task: () => void }>()
  const codes = createLoginCodes({
    clock: { now: (): Stamp => stampOfMillis(millis) },
    timers: {
      millis: () => millis,
      after(delay, task) {
        const one = { at: millis + delay, task }
        waiting.add(one)
        return () => void waiting.delete(one)
      },
    },
    newSecret: () => `secret ${count++}`,
  })
  const pass = (seconds: number) => {
    millis += seconds * 1000
    for (const one of [...waiting])
      if (one.at <= millis) {
        waiting.delete(one)
        one.task()
      }
  }
  return { codes, pass, waiting }
}

const nobodyLeaves = new AbortController().signal

test('a code is taken once', () => {
  const { codes } = codesOverTime()
  const { code, codeId } = codes.create()
  expect(codes.take(code)).toBe(codeId)
  expect(codes.take(code)).toBeUndefined()
  expect(codes.take('another')).toBeUndefined()
})

test('a code is taken within its minute', () => {
  const { codes, pass } = codesOverTime()
  const [first, second] = [codes.create(), codes.create()]
  pass(LIMITS.loginCodeSeconds - 1)
  expect(codes.take(first.code)).toBe(first.codeId)
  pass(1)
  expect(codes.take(second.code)).toBeUndefined()
})

test('its id tells nothing of the code', () => {
  const { codes } = codesOverTime()
  const { code, codeId } = codes.create()
  expect(codeId).toMatch(/^[0-9a-f]{64}$/)
  expect(codes.take(codeId)).toBeUndefined()
  expect(codes.take(code)).toBe(codeId)
})

test('whoever follows it learns at once who used it, and again when asked later', async () => {
  const { codes, waiting } = codesOverTime()
  const { code, codeId } = codes.create()
  const followed = codes.follow(codeId, 20_000, nobodyLeaves)
  codes.take(code)
  codes.noteUse(codeId, USE)
  expect(await followed).toEqual({ status: 'used', ...USE })
  expect(await codes.follow(codeId, 20_000, nobodyLeaves)).toEqual({ status: 'used', ...USE })
  expect(waiting.size).toBe(0)
})

test('whoever follows it learns in time that nobody has used it yet, and that nobody will', async () => {
  const { codes, pass } = codesOverTime()
  const { codeId } = codes.create()
  const first = codes.follow(codeId, 20_000, nobodyLeaves)
  pass(20)
  expect(await first).toEqual({ status: 'waiting' })
  const second = codes.follow(codeId, 60_000, nobodyLeaves)
  pass(40)
  expect(await second).toEqual({ status: 'expired' })
  expect(await codes.follow(codeId, 20_000, nobodyLeaves)).toEqual({ status: 'expired' })
})

test('nothing waits for whoever has left', async () => {
  const { codes, waiting } = codesOverTime()
  const { codeId } = codes.create()
  const leaving = new AbortController()
  const followed = codes.follow(codeId, 20_000, leaving.signal)
  leaving.abort()
  expect(await followed).toEqual({ status: 'waiting' })
  expect(waiting.size).toBe(0)
})

test('a hundred thousand codes take no more room than a hundred, and the newest works', () => {
  const { codes } = codesOverTime()
  const made = Array.from({ length: 100_000 }, () => codes.create())
  expect(codes.take(made[0]?.code ?? '')).toBeUndefined()
  expect(codes.take(made.at(-LIMITS.loginCodes - 1)?.code ?? '')).toBeUndefined()
  expect(codes.take(made.at(-LIMITS.loginCodes)?.code ?? '')).toBeDefined()
  expect(codes.take(made.at(-1)?.code ?? '')).toBeDefined()
})

test('a code that never was cannot be followed', async () => {
  const { codes } = codesOverTime()
  await expect(codes.follow('0'.repeat(64), 1000, nobodyLeaves)).rejects.toMatchObject({ kind: 'not_found' })
})
