import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bundled, bundled } from './support/folders/bundled.ts'

let main: Bundled
beforeAll(async () => {
  main = await bundled(new URL('./sim/main.ts', import.meta.url))
})
afterAll(() => main[Symbol.asyncDispose]())

/** What `npm run sim -- FLAGS` runs, ended by a signal as soon as it has said something, where one is given. */
async function simulate(flags: readonly string[], signal?: NodeJS.Signals) {
  const child = spawn(process.execPath, [main.path, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (data: Buffer) => {
    if (signal !== undefined && said === '') child.kill(signal)
    said += data.toString()
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

describe('the command that simulates', () => {
  test.each([
    [['--seeds', 'abc'], "--seeds: give a whole number from 1 to 999999999, not 'abc'"],
    [['--seeds', '0'], "--seeds: give a whole number from 1 to 999999999, not '0'"],
    [['--seed', 'x'], "--seed: give a whole number from 1 to 999999999, not 'x'"],
    [['--from', 'x'], "--from: give a whole number from 1 to 999999999, not 'x'"],
    [['--mode', 'foo'], "--mode: give push, digest, both, hub or all, not 'foo'"],
  ])('refuses %j in one line', async (flags, line) => {
    expect(await simulate(flags)).toEqual({ code: 2, said: `${line}\n` })
  })

  test('ends with 0 when all seeds ran and none failed', async () => {
    expect(await simulate(['--mode', 'push', '--seed', '1'])).toMatchObject({ code: 0 })
  })

  test('ends with 1 when it was ended before all seeds ran', async () => {
    const { code, said } = await simulate(
      ['--mode', 'push', '--seeds', '100000', '--from', '1', '--trace'],
      'SIGTERM',
    )
    expect(said).toMatch(/^ended early: \d+ of 100000 seeds ran$/m)
    expect(code).toBe(1)
  })
})
