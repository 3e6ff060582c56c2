import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeServer, listenLocally } from '../../../src/io/mock/listen.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const NODE = process.execPath

let running: TestDaemon
let cwd: string
beforeAll(async () => {
  running = await daemon()
  cwd = dirname(running.dataDir)
  const repos = [{ name: 'backend-api' }]
  await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
})
afterAll(() => running[Symbol.asyncDispose]())

const verify = (...words: string[]) => cacpd(['verify', ...words], { cwd, env: process.env })

async function implemented(
  name: string,
  content: object = { method: 'GET', path: `/${name}` },
): Promise<string> {
  const { contractId } = await running.rpc('cacp/contract/propose', { type: 'api_endpoint', name, content })
  await running.rpc('cacp/contract/respond', { contractId, action: 'agree' })
  await running.rpc('cacp/implementation/start', { contractId })
  await running.rpc('cacp/implementation/complete', { contractId, files: [] })
  return contractId
}

const evidenceFor = async (contractId: string) =>
  (await running.rpc('cacp/contract/get', { contractId })).verifications.at(-1)

describe('cacpd verify', () => {
  test('runs nothing where there is nothing to verify', async () => {
    expect(await verify('--', NODE, '-e', 'console.log("ran")')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/nothing to verify.*\n.*can-i-merge/),
    })
  })

  test('says what the command showed, of all that is implemented, and ends as it does', async () => {
    const [one, other] = [await implemented('me'), await implemented('you')]
    const ran = await verify('--', NODE, '-e', 'console.log("3 passed")')
    expect(ran).toMatchObject({ exitCode: 0, err: expect.stringContaining('3 passed') })
    expect(ran.out).toContain('me: verified, contract is verified\n')
    for (const contractId of [one, other])
      expect(await evidenceFor(contractId)).toMatchObject({
        result: 'success',
        grade: 'ran',
        evidence: [{ kind: 'run', repo: 'backend-api', exitCode: 0, output: { tail: '3 passed\n' } }],
      })
  })

  test('of one contract, also where it does not work', async () => {
    const contractId = await implemented('they')
    const ran = await verify('--contract', 'they', '--', NODE, '-e', 'console.error("no"); process.exit(7)')
    expect(ran).toMatchObject({ exitCode: 7, out: 'they: failed, contract is agreed\n' })
    expect(await evidenceFor(contractId)).toMatchObject({
      result: 'failure',
      evidence: [{ exitCode: 7, output: { tail: 'no\n' } }],
    })
  })

  test('keeps the end of what is printed, however much that is', async () => {
    const contractId = await implemented('much')
    const script = 'for (let i = 0; i < 20000; i++) console.log("line " + i + " " + "x".repeat(500))'
    const ran = await verify('--contract', 'much', '--', NODE, '-e', script)
    expect(ran.exitCode).toBe(0)
    const { evidence } = await evidenceFor(contractId)
    expect(evidence[0].output.tail).toHaveLength(2000)
    expect(evidence[0].output.tail).toContain('line 19999 ')
  })

  test('tells a command that cannot be run, and one that is killed, as what they are', async () => {
    await implemented('gone')
    expect(await verify('--contract', 'gone', '--', 'no-such-program')).toMatchObject({
      exitCode: 127,
      err: expect.stringContaining('no-such-program: '),
    })
    await running.rpc('cacp/implementation/complete', { contractId: 'gone', files: [] })
    expect((await verify('--contract', 'gone', '--', NODE, '-e', 'process.kill(process.pid)')).exitCode).toBe(
      143,
    )
  })

  test('keeps no secrets of what is printed or run', async () => {
    const contractId = await implemented('quiet')
    const script = 'console.log("Authorization: Bearer abc123def456")'
    await verify('--contract', 'quiet', '--', NODE, '-e', script, 'token=abc123def456')
    expect(JSON.stringify(await evidenceFor(contractId))).not.toContain('abc123def456')
  })

  test('ends a command that never ends, with all that it began', async () => {
    const contractId = await implemented('endless')
    const script = `process.on('SIGTERM', () => {}); console.log('begun'); setInterval(() => {}, 1000)`
    const ran = await verify('--contract', 'endless', '--timeout', '1s', '--', NODE, '-e', script)
    expect(ran).toMatchObject({ exitCode: 124, err: expect.stringContaining('was ended after 1 seconds') })
    expect(await evidenceFor(contractId)).toMatchObject({ result: 'failure', evidence: [{ exitCode: 124 }] })
  })

  test('is over when the command is, whatever that left running', async () => {
    await implemented('leaving')
    const left = `require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit', detached: true }).unref()`
    const began = performance.now()
    expect((await verify('--contract', 'leaving', '--', NODE, '-e', left)).exitCode).toBe(0)
    expect(performance.now() - began).toBeLessThan(18_000)
  })

  test('takes no memory for a gigabyte that is printed', async () => {
    const contractId = await implemented('gigabyte')
    const script = `
      const piece = Buffer.alloc(1024 * 1024, 'x')
      let left = 1024
      const go = () => { while (left-- > 0) if (!process.stdout.write(piece)) return process.stdout.once('drain', go); }
      go()`
    let printed = 0
    const before = process.memoryUsage().rss
    const ran = await cacpd(['verify', '--contract', 'gigabyte', '--', NODE, '-e', script], {
      cwd,
      env: process.env,
      complain: (text) => {
        printed += text.length
      },
    })
    expect(ran.exitCode).toBe(0)
    expect(printed).toBe(1024 ** 3)
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
    expect((await evidenceFor(contractId)).evidence[0].output.tail).toBe('x'.repeat(2000))
  }, 240_000)

  test('wants a command', async () => {
    expect((await verify()).exitCode).toBe(2)
  })
})

describe('cacpd verify --upstream', () => {
  let isGood = true
  const server = createServer((request, response) => {
    const body = isGood ? { id: 7, name: 'Ada' } : { id: 'seven' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(request.url?.startsWith('/people/') ? body : {}))
  })
  let upstream: string
  beforeAll(async () => {
    upstream = await listenLocally(server, 0)
    for (const name of ['Get Person', 'Not Asked']) {
      const path = name === 'Get Person' ? '/people/{id}' : '/other'
      const response = { id: 'integer', name: 'string' }
      const content = { method: 'GET', path, params: path === '/other' ? {} : { id: 'integer' }, response }
      await implemented(name, content)
    }
  })
  afterAll(() => closeServer(server))

  const ASK = `(async () => {
    const headers = { authorization: 'Bearer abc123def456' }
    await (await fetch(process.env.CACP_BASE_URL + '/people/7?api_key=abc123def456', { headers })).text()
    await (await fetch(process.env.CACP_BASE_URL + '/elsewhere')).text()
  })()`
  const names = ['--contract', 'Get Person', 'Not Asked']
  const evidenceOf = async (contractId: string) => (await evidenceFor(contractId)).evidence

  test('compares what the command sends and gets, and says what was seen', async () => {
    const ran = await verify(...names, '--upstream', upstream, '--', NODE, '-e', ASK)
    expect(ran).toMatchObject({ exitCode: 0, err: '1 request was to no contract in force\n' })
    expect(ran.out).toBe(
      'Get Person: verified, contract is verified; 1 request, 0 did not fit, 3 of 3 places seen\n' +
        'Not Asked: verified, contract is verified\n',
    )
    expect(await evidenceFor('Get Person')).toMatchObject({
      grade: 'observed',
      evidence: [
        { kind: 'run', exitCode: 0 },
        {
          kind: 'exchanges',
          repo: 'backend-api',
          count: 1,
          failed: 0,
          seen: ['path.0', 'response.200', 'response.200.body'],
          of: 3,
          har: expect.stringMatching(/^[0-9a-f]{64}$/),
          failures: [],
        },
      ],
    })
    expect((await evidenceOf('Not Asked')).map(({ kind }: { kind: string }) => kind)).toEqual(['run'])
  })

  test('keeps what went by in the data directory, without secrets', async () => {
    const folder = join(running.dataDir, 'exchanges')
    const [name = ''] = await readdir(folder)
    const text = await readFile(join(folder, name), 'utf8')
    expect(JSON.parse(text).log.entries).toHaveLength(2)
    expect(text).toContain('Ada')
    expect(text).not.toContain('abc123def456')
    expect((await evidenceOf('Get Person'))[1].har).toBe(sha256(text))
  })

  test('fails where the command succeeds and an answer does not fit', async () => {
    isGood = false
    const ran = await verify(...names.slice(0, 2), '--upstream', upstream, '--', NODE, '-e', ASK)
    expect(ran).toMatchObject({ exitCode: 1, out: expect.stringContaining('Get Person: failed') })
    expect(ran.err).toContain(
      'GET /people/{}: response.200.body.name is required; response.200.body.id must be integer',
    )
    expect(await evidenceOf('Get Person')).toMatchObject([
      { exitCode: 0 },
      { count: 1, failed: 1, failures: [expect.stringContaining('response.200.body.name is required')] },
    ])
    isGood = true
  })

  test('takes requests that something else recorded', async () => {
    await running.rpc('cacp/implementation/complete', { contractId: 'Get Person', files: [] })
    const entry = (path: string) => ({
      request: { method: 'GET', url: `https://staging.test${path}`, headers: [] },
      response: {
        status: 200,
        headers: [],
        content: { mimeType: 'application/json', text: '{"id":1,"name":"a"}' },
      },
    })
    await writeFile(
      join(cwd, 'one.har'),
      JSON.stringify({ log: { entries: [entry('/people/1'), entry('/x')] } }),
    )
    const ran = await verify(...names, '--har', 'one.har')
    expect(ran).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Not Asked: no request to it was seen'),
    })
    expect(await evidenceFor('Get Person')).toMatchObject({
      grade: 'observed',
      evidence: [{ kind: 'exchanges', count: 1, har: sha256(await readFile(join(cwd, 'one.har'), 'utf8')) }],
    })
    expect(await verify(...names, '--har', 'one.har', '--upstream', 'https://live.test')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('No request was to one of the contracts'),
    })
  })

  test.each([
    [['--upstream', 'localhost'], '--upstream: must be a URL'],
    [['--har', 'none.har'], '--har: cannot be read (ENOENT)'],
    [['--timeout', '1', '--har', 'x'], '--timeout: must be a time'],
    [['--upstream', 'http://127.0.0.1:1'], 'say what to run behind --'],
  ])('is wrong with %j', async (words, problem) => {
    expect((await verify(...names, ...words)).err).toContain(problem)
  })
})
