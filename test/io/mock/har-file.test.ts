import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Exchange } from '../../../src/domain/mock/judge.ts'
import { NO_CONTENT } from '../../../src/domain/mock/message.ts'
import { createHarFile, readHar } from '../../../src/io/mock/har-file.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'

const HEAD = '{"log":{"version":"1.2","entries":['

const entry = (url: string, content: object, more: object = {}) => ({
  request: { method: 'GET', url, headers: [{ name: 'Accept', value: '*/*' }], ...more },
  response: { status: 200, headers: [{ name: 'Content-Type', value: 'application/json' }], content },
})

async function* chunks(...texts: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text as string)
}

async function read(entries: readonly object[], origin?: string): Promise<Exchange[]> {
  const found: Exchange[] = []
  const text = `${HEAD}${entries.map((one) => JSON.stringify(one)).join(',')}]}}`
  await readHar(chunks(text), { origin, each: (exchange) => found.push(exchange) })
  return found
}

describe('a HAR that is read', () => {
  test('gives its exchanges, with bodies in whatever encoding they are', async () => {
    const utf16 = Buffer.from('\ufeff{"name":"Zoë"}', 'utf16le')
    const found = await read([
      entry('http://api.test/a?x=1', { mimeType: 'application/json', text: '{"name":"Zoë"}' }),
      entry('http://api.test/b', {
        mimeType: 'application/json',
        encoding: 'base64',
        text: Buffer.from('{"name":"Zoë"}').toString('base64'),
      }),
      entry('http://api.test/c', {
        mimeType: 'application/json; charset=utf-16le',
        encoding: 'base64',
        text: utf16.toString('base64'),
      }),
      entry('http://api.test/d', {
        mimeType: 'application/json; charset=iso-8859-1',
        text: '{"name":"Zoë"}',
      }),
      entry('http://api.test/e', { mimeType: 'image/png', encoding: 'base64', text: '////' }),
      entry('http://api.test/f', { mimeType: 'application/json', size: 12 }),
    ])
    const named = { kind: 'json', media: 'application/json', value: { name: 'Zoë' } }
    expect(found.map(({ answered }) => answered?.body)).toEqual([
      named,
      named,
      named,
      named,
      expect.objectContaining({ kind: 'unread', isLeftOut: true }),
      expect.objectContaining({ kind: 'unread', why: 'was not recorded' }),
    ])
    expect(found[0]?.asked).toMatchObject({ method: 'GET', path: '/a', headers: { accept: ['*/*'] } })
    expect(found[0]?.asked.query.get('x')).toBe('1')
  })

  test('leaves out what was sent elsewhere, never got an answer, or is nothing', async () => {
    const kept = entry('http://api.test:80/a', {})
    const failed = { ...kept, response: { status: 0, headers: [], content: {} } }
    const found = await read(
      [kept, entry('https://other.test/a', {}), failed, {}, { request: 1 }],
      'http://api.test',
    )
    expect(found).toHaveLength(1)
    expect(found[0]?.answered?.body).toEqual(NO_CONTENT)
  })

  test('is read as a stream, however long it is', async () => {
    const one = JSON.stringify(
      entry('http://api.test/a', { mimeType: 'application/json', text: `"${'x'.repeat(20_000)}"` }),
    )
    const block = Buffer.from(`${one},`.repeat(50))
    const rounds = Math.ceil((500 * 1024 * 1024) / block.length)
    async function* long() {
      yield Buffer.from(HEAD)
      for (let round = 0; round < rounds; round++) yield block
      yield Buffer.from(`${one}]}}`)
    }
    let count = 0
    let most = 0
    const before = process.memoryUsage().rss
    const told = await readHar(long(), {
      origin: undefined,
      each: () => {
        if (++count % 500 === 0) most = Math.max(most, process.memoryUsage().rss - before)
      },
    })
    expect(count).toBe(rounds * 50 + 1)
    expect(told).toMatchObject({ entries: count, skipped: 0 })
    expect(most).toBeLessThan(250 * 1024 * 1024)
  }, 180_000)

  test('has one entry that is longer than anybody looks at, and all others', async () => {
    const found: Exchange[] = []
    const small = JSON.stringify(entry('http://api.test/a', {}))
    const told = await readHar(
      chunks(HEAD, small, ',{"request":"', Buffer.alloc(20 * 1024 * 1024, 'x'), '"},', small, ']}}'),
      { origin: undefined, each: (exchange) => found.push(exchange) },
    )
    expect(told).toMatchObject({ entries: 2, skipped: 1 })
    expect(found).toHaveLength(2)
  })

  test.each([
    ['{"a": 1}', 'this is no HAR'],
    ['no JSON at all', 'this is no HAR'],
    [`${HEAD}{"request":{}},{"requ`, 'the file ends in the middle, after 1 entries'],
  ])('is refused where it is none, or not whole: %j', async (text, problem) => {
    await expect(readHar(chunks(text), { origin: undefined, each: () => {} })).rejects.toThrow(problem)
  })

  test('is refused where it cannot be read', async () => {
    await expect(readHar('/no/such.har', { origin: undefined, each: () => {} })).rejects.toThrow(
      '--har: cannot be read (ENOENT)',
    )
  })
})

describe('a HAR that is written', () => {
  let folder: string
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'cacpd-har-')), 'exchanges')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const passed = {
    startedAt: '2026-01-01T00:00:00.000Z',
    millis: 2,
    method: 'GET',
    url: '/a',
    origin: 'http://127.0.0.1:1',
    requestHeaders: ['Authorization', 'Bearer abcdefgh'],
    status: 200,
    statusText: 'OK',
    answerHeaders: [],
  }
  const asked = { method: 'GET', path: '/a', query: new URLSearchParams(), headers: {}, body: NO_CONTENT }
  const body = { kind: 'json', media: 'application/json', value: { id: 1 } } as const
  const observed = { passed, exchange: { asked, answered: { status: 200, headers: {}, body } } }

  test('can be read again, by its owner alone, and has the hash that is told', async () => {
    const file = await createHarFile(folder, 'one', { name: 'cacpd', version: '1' })
    file.add(observed, true)
    file.add(observed, false)
    const hash = await file.close()
    const text = await readFile(file.path, 'utf8')
    expect(hash).toBe(sha256(text))
    expect(text).not.toContain('abcdefgh')
    expect(JSON.parse(text).log.entries).toHaveLength(2)
    expect((await stat(file.path)).mode & 0o777).toBe(0o600)
    const found: Exchange[] = []
    const told = await readHar(file.path, { origin: 'http://127.0.0.1:1', each: (one) => found.push(one) })
    expect(told).toEqual({ sha256: hash, entries: 2, skipped: 0 })
    expect(found.map(({ answered }) => answered?.body.kind)).toEqual(['json', 'none'])
  })

  test('pushes out the oldest of many', async () => {
    for (let index = 10; index < 40; index++) await writeFile(join(folder, `old-${index}.har`), '{}')
    const file = await createHarFile(folder, 'z-new', { name: 'cacpd', version: '1' })
    await file.close()
    const names = await readdir(folder)
    expect(names).toHaveLength(20)
    expect(names).toContain('z-new.har')
    expect(names).not.toContain('old-10.har')
  })
})
