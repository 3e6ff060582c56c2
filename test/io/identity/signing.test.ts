import { execFile } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createSigning } from '../../../src/io/identity/signing.ts'

const run = promisify(execFile)
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')

const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`)
const isRight = (text: string, signature: string, by = publicKey): boolean =>
  verify(null, Buffer.from(text), by, Buffer.from(signature, 'base64url'))

afterEach(() => vi.restoreAllMocks())

describe('signing', () => {
  test.each([1, 3, 4, 200])(
    '%i texts that are asked for at once each get their own signature',
    async (count) => {
      const sign = createSigning()
      const made = await Promise.all(texts(count).map((text) => sign(text, privateKey)))
      expect(texts(count).every((text, index) => isRight(text, made[index] ?? ''))).toBe(true)
    },
  )

  test('what is asked for in one turn goes to the thread in one message for each key', async () => {
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    const sign = createSigning()
    const made = await Promise.all([
      ...texts(50).map((text) => sign(text, privateKey)),
      ...texts(50).map((text) => sign(text, other.privateKey)),
    ])
    expect(post).toHaveBeenCalledTimes(2)
    expect(texts(50).every((text, index) => isRight(text, made[index] ?? ''))).toBe(true)
    expect(texts(50).every((text, index) => isRight(text, made[50 + index] ?? '', other.publicKey))).toBe(
      true,
    )
  })

  test('what is asked for while the thread works goes to it together', async () => {
    const posted: (readonly string[])[] = []
    const idle = {
      ref() {},
      unref() {},
      postMessage: (order: { texts: string[] }) => posted.push(order.texts),
    }
    const thread = Object.assign(new EventEmitter(), idle)
    const sign = createSigning(() => thread as unknown as Worker)
    const made: Promise<string>[] = []
    for (let turn = 0; turn < 10; turn++) {
      made.push(...texts(5).map((text) => sign(`${turn} ${text}`, privateKey)))
      await new Promise(setImmediate)
    }
    expect(posted.map(({ length }) => length)).toEqual([5, 5])
    for (let answered = 0; answered < posted.length; answered++)
      thread.emit(
        'message',
        posted[answered]?.map((text) => `signed ${text}`),
      )
    expect(posted.map(({ length }) => length)).toEqual([5, 5, 40])
    expect(await Promise.all(made)).toEqual(posted.flat().map((text) => `signed ${text}`))
  })

  test('a few start no thread', async () => {
    const start = vi.fn((): Worker => {
      throw new Error('no thread is needed')
    })
    expect(isRight('one', await createSigning(start)('one', privateKey))).toBe(true)
    expect(start).not.toHaveBeenCalled()
  })

  test('all are signed, now and later, where no thread can be made', async () => {
    const sign = createSigning(() => {
      throw new Error('too many threads')
    })
    for (let round = 0; round < 2; round++) {
      const made = await Promise.all(texts(10).map((text) => sign(text, privateKey)))
      expect(texts(10).every((text, index) => isRight(text, made[index] ?? ''))).toBe(true)
    }
  })

  test.each(['process.exit(1)', 'throw new Error("broken")'])(
    'all are signed, now and later, where the thread ends: %s',
    async (end) => {
      const start = vi.fn(
        () =>
          new Worker(`require('node:worker_threads').parentPort.on('message', () => { ${end} })`, {
            eval: true,
          }),
      )
      const sign = createSigning(start)
      for (let round = 0; round < 2; round++) {
        const made = await Promise.all(texts(10).map((text) => sign(text, privateKey)))
        expect(texts(10).every((text, index) => isRight(text, made[index] ?? ''))).toBe(true)
      }
      expect(start).toHaveBeenCalledTimes(1)
    },
  )

  test('a key that cannot sign is told to whoever asked', async () => {
    const sign = createSigning()
    const asked = texts(10).map((text) => sign(text, publicKey))
    for (const outcome of await Promise.allSettled(asked)) expect(outcome.status).toBe('rejected')
  })

  test('a thread that owes no answer does not keep the process from ending', async () => {
    const program = `
      import { generateKeyPairSync } from 'node:crypto'
      import { createSigning } from ${JSON.stringify(new URL('../../../src/io/identity/signing.ts', import.meta.url).href)}
      const sign = createSigning()
      const { privateKey } = generateKeyPairSync('ed25519')
      const made = await Promise.all(Array.from({ length: 10 }, () => sign('a text', privateKey)))
      console.log(made.length)
    `
    const { stdout } = await run(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      program,
    ])
    expect(stdout).toBe('10\n')
  })
})
