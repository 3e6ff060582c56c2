import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { trust } from '../../../src/io/identity/trusted.ts'
import { createCommandAgent } from '../../../src/io/runner/command.ts'
import type { RunFolder } from '../../../src/io/runner/command-files.ts'
import { execute } from '../../../src/io/runner/command-process.ts'
import { silent } from '../../../src/io/store/store-log.ts'
import { AgentSettings } from '../../../src/protocol/agent/settings.ts'
import type { Fault } from '../../../src/protocol/fault.ts'
import { isEnd, type RunEvent } from '../../../src/protocol/run/event.ts'
import { isAlive, node } from '../../support/daemons/scripts.ts'
import { foldRun, ODD_TEXT, requestWith } from '../../support/dialects/run-events.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { eventsOf, OPERATOR, openTestRuns, PEER, type TestRuns } from '../../support/runs/test-runs.ts'

let folder: Folder
beforeEach(async () => {
  folder = await folderWith({ 'state/': '', 'data/': '' })
})
afterEach(() => folder[Symbol.asyncDispose]())

/** One that may be listed under agent.allow: it showed a key. */
const LISTED = { ...PEER, credential: 'a1b2c3d4' }

const place = () => ({
  root: folder.path,
  dataDir: folder.at('data'),
  stateDir: folder.at('state'),
  log: silent,
})

async function workshopWith(
  agent: object,
  { isTrusted = true, rules = {} }: { isTrusted?: boolean; rules?: object } = {},
): Promise<TestRuns> {
  const settings = AgentSettings.parse(agent)
  if (isTrusted) await trust('agent', settings, place())
  const command = await createCommandAgent({ ...place(), settings })
  return openTestRuns({ rules, ...(command === undefined ? {} : { command }) })
}

const ask = (text: string, more: object = {}) =>
  requestWith({ messages: [{ role: 'user', content: [{ type: 'text', text }] }], ...more })

/** Starts it and answers all its events. */
async function eventsFrom({ runs }: TestRuns, request = ask('hello')): Promise<RunEvent[]> {
  return eventsOf(runs, (await runs.start(request, OPERATOR)).run)
}

describe('what keeps work from being done', () => {
  test('is a command that is not trusted', async () => {
    await using opened = await workshopWith({ command: node('0') }, { isTrusted: false })
    expect(await opened.runs.obstacles()).toEqual([{ kind: 'untrusted_command' }])
  })

  test('is a peer that asked for work and is not allowed to, once, the last time that it asked', async () => {
    await using opened = await workshopWith({ commands: { build: node('0'), test: node('0') } })
    expect(await opened.runs.obstacles()).toEqual([])
    for (const work_type of ['build', 'test'])
      await expect(opened.runs.start(ask('do it', { work_type }), LISTED)).rejects.toMatchObject({
        kind: 'forbidden',
      })
    // Whoever shows no key cannot be allowed, so that nobody has to look at it.
    await expect(opened.runs.start(ask('do it', { work_type: 'build' }), PEER)).rejects.toThrow()
    expect(await opened.runs.obstacles()).toEqual([
      {
        kind: 'not_allowed',
        agentId: LISTED.agentId,
        repoName: LISTED.repoName,
        workType: 'test',
        at: expect.any(String),
      },
    ])
  })
})

describe('a command', () => {
  test('gets the prompt on its input, and its output is the answer, whatever is in it', async () => {
    await using opened = await workshopWith({ command: node('process.stdin.pipe(process.stdout)') })
    const events = await eventsFrom(opened, ask(ODD_TEXT))
    expect(foldRun(events)).toMatchObject({ status: 'completed', text: ODD_TEXT, exit_code: 0 })
    expect(events[0]).toMatchObject({ type: 'started', runner: 'command' })
  })

  test('may end while it is written down which process it is: its output is the answer', async () => {
    const { signal } = new AbortController()
    const texts: string[] = []
    const outcome = await execute({
      command: ['/bin/echo', 'quick'],
      root: folder.path,
      request: ask('go'),
      context: {
        runId: 'run',
        attempt: 1,
        asker: OPERATOR,
        signal,
        history: async () => [],
        emit: async (event) => {
          if (event.type === 'text') texts.push(event.delta)
        },
      },
      files: {
        requestPath: folder.at('request.json'),
        writeProcess: async ({ pid }) => {
          while (isAlive(pid)) await new Promise(setImmediate)
          // Only then the end is told, and what nobody reads is thrown away.
          for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
        },
      } as RunFolder,
      output: 'text',
      maxMemoryMb: undefined,
      log: silent,
    })
    expect(outcome).toMatchObject({ exit_code: 0 })
    expect(texts.join('')).toBe('quick\n')
  })

  test('may write its output byte by byte: no character is cut', async () => {
    const script = `
      const bytes = Buffer.from('é😀\\u2028')
      for (const byte of bytes) { process.stdout.write(Buffer.of(byte)); await new Promise((r) => setTimeout(r, 5)) }`
    await using opened = await workshopWith({ command: node(script) })
    expect(foldRun(await eventsFrom(opened)).text).toBe('é😀\u2028')
  })

  test('finds the whole request in a file that only its user can read, and that is gone afterwards', async () => {
    const script = `
      const { readFileSync, statSync } = await import('node:fs')
      const path = process.env.CACP_REQUEST_FILE
      const { parameters, run_id, wire } = JSON.parse(readFileSync(path, 'utf8'))
      const mode = (statSync(path).mode & 0o777).toString(8)
      process.stdout.write(JSON.stringify({ parameters, mode, path, wire: wire === undefined, same: run_id === process.env.CACP_RUN_ID }))`
    await using opened = await workshopWith({ command: node(script) })
    const request = ask('hi', { parameters: { a: 1 }, wire: { token: 'x' } })
    const said = JSON.parse(foldRun(await eventsFrom(opened, request)).text)
    expect(said).toMatchObject({ parameters: { a: 1 }, mode: '600', wire: true, same: true })
    expect(await stat(said.path).catch(() => 'gone')).toBe('gone')
    expect(await readdir(folder.at('data/agent'))).toEqual([])
  })

  test('is never read by a shell', async () => {
    await using opened = await workshopWith({
      command: [...node('process.stdout.write(process.argv.at(-1))'), '$(touch pwned); `id` && $HOME'],
    })
    expect(foldRun(await eventsFrom(opened)).text).toBe('$(touch pwned); `id` && $HOME')
    expect(await readdir(folder.path)).not.toContain('pwned')
  })

  test('that ends with another code than 0 has failed; what it complained of stays in the log', async () => {
    const script = "process.stdout.write('half'); console.error('secret'); process.exitCode = 3"
    const complaints: object[] = []
    const settings = AgentSettings.parse({ command: node(script) })
    await trust('agent', settings, place())
    const log = { ...silent, info: (details: object) => void complaints.push(details) }
    const command = await createCommandAgent({ ...place(), settings, log })
    await using opened = await openTestRuns(command === undefined ? {} : { command })
    const events = await eventsFrom(opened)
    expect(foldRun(events)).toMatchObject({
      status: 'failed',
      text: 'half',
      exit_code: 3,
      failure: { kind: 'agent_failed', message: "The agent's command ended with code 3", retryable: false },
    })
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(complaints).toContainEqual(expect.objectContaining({ line: 'secret' }))
  })

  test('that does not exist is a failure that names no path', async () => {
    await using opened = await workshopWith({ command: ['/no/such/program'] })
    const events = await eventsFrom(opened)
    expect(events.at(-1)).toMatchObject({
      kind: 'agent_failed',
      message: "The agent's command could not be started (ENOENT)",
    })
  })

  test('has its times measured', async () => {
    const script =
      'const until = Date.now() + 200; while (Date.now() < until || process.cpuUsage().user < 150_000);'
    await using opened = await workshopWith({ command: node(script) })
    const { duration_ms, cpu_ms } = foldRun(await eventsFrom(opened))
    expect(duration_ms).toBeGreaterThanOrEqual(200)
    if (process.platform === 'linux') expect(cpu_ms).toBeGreaterThanOrEqual(100)
  })

  test('may leave something behind that holds its output open', async () => {
    const script = `
      const { spawn } = await import('node:child_process')
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'ignore'] }).unref()
      process.stdout.write('done')
      process.exit(0)`
    await using opened = await workshopWith({ command: node(script) })
    expect(foldRun(await eventsFrom(opened))).toMatchObject({ status: 'completed', text: 'done' })
  }, 15_000)

  test('that is silent is told to be at work', async () => {
    await using opened = await workshopWith(
      { command: node('setTimeout(() => {}, 300)') },
      { rules: { heartbeatMillis: 50 } },
    )
    const types = (await eventsFrom(opened)).map(({ type }) => type)
    expect(types.filter((type) => type === 'heartbeat').length).toBeGreaterThan(1)
    expect(types.at(-1)).toBe('completed')
  })

  test.runIf(process.platform === 'linux')(
    'that takes more memory than the hint allows is ended',
    async () => {
      const script = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(16 * 1024 * 1024, 1)), 20)'
      await using opened = await workshopWith({ command: node(script) })
      const events = await eventsFrom(opened, ask('eat', { hints: { max_memory_mb: 150 } }))
      expect(events.at(-1)).toMatchObject({
        type: 'failed',
        kind: 'memory_limit',
        data: { limit_name: 'memory_mb', available: 150, required: expect.any(Number) },
      })
    },
    20_000,
  )
})

describe('ending a command', () => {
  /** Prints its own pid and that of a grandchild; both ignore polite signals. */
  const TREE = `
    process.on('SIGTERM', () => {})
    const { spawn } = await import('node:child_process')
    const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); process.stdout.write('up'); setInterval(() => {}, 1000)"], { stdio: ['ignore', 'pipe', 'inherit'], detached: process.argv.includes('apart') })
    child.stdout.once('data', () => process.stdout.write(JSON.stringify([process.pid, child.pid])))
    setInterval(() => {}, 1000)`

  async function pidsOf({ runs }: TestRuns, runId: string): Promise<number[]> {
    for await (const events of runs.follow(runId, OPERATOR))
      for (const event of events) if (event.type === 'text') return JSON.parse(event.delta) as number[]
    return []
  }

  test.each([
    { words: [], whose: 'with all that it started' },
    { words: ['apart'], whose: 'also what left its group' },
  ])(
    'a cancel ends it $whose',
    async ({ words }) => {
      await using opened = await workshopWith({ command: [...node(TREE), ...words] })
      const { run } = await opened.runs.start(ask('go'), OPERATOR)
      const pids = await pidsOf(opened, run.run_id)
      expect(pids.map(isAlive)).toEqual([true, true])
      expect(await opened.runs.cancel(run.run_id, OPERATOR)).toMatchObject({ status: 'canceled' })
      await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]))
    },
    20_000,
  )

  test('so does a time-out', async () => {
    await using opened = await workshopWith({ command: node(TREE) })
    const { run } = await opened.runs.start(ask('go', { hints: { max_duration_seconds: 3 } }), OPERATOR)
    const pids = await pidsOf(opened, run.run_id)
    const events = await eventsOf(opened.runs, run)
    expect(events.at(-1)).toMatchObject({ type: 'failed', kind: 'timeout' })
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]))
  }, 20_000)
})

describe('a command that writes events', () => {
  const writing = (...lines: string[]) => ({
    command: node(`process.stdout.write(${JSON.stringify(lines.join('\n'))})`),
    output: 'events',
  })

  test('tells all it can, and its result as data', async () => {
    await using opened = await workshopWith(
      writing(
        '{"type":"reasoning","delta":"hm"}',
        '',
        '{"type":"step","number":1,"name":"look","progress":50}',
        '{"type":"tool_call","call_id":"c1","name":"grep","arguments":"{}"}',
        '{"type":"tool_output","call_id":"c1","output":"x"}',
        '{"type":"text","delta":"ok"}',
        '{"type":"usage","usage":{"input_tokens":3}}',
        '{"type":"completed","output":{"answer":42}}',
      ),
    )
    const events = await eventsFrom(opened)
    expect(events.filter(isEnd)).toHaveLength(1)
    expect(foldRun(events)).toMatchObject({
      status: 'completed',
      reasoning: 'hm',
      text: 'ok',
      steps: [{ number: 1, name: 'look', progress: 50 }],
      tool_calls: [{ name: 'grep' }],
      usage: { input_tokens: 3 },
      output: { answer: 42 },
    })
  })

  test.each([
    { what: 'that is not JSON', line: 'hello\n', message: "Line 2 of the agent's output is not JSON" },
    { what: 'of an unknown type', line: '{"type":"fly"}\n', message: /^Line 2 .+ is no run event: type / },
    {
      what: 'that lacks a field',
      line: '{"type":"citation","uri":"cacp:x"}\n',
      message: /is no run event: text is required$/,
    },
    {
      what: 'with a number for an object',
      line: '{"type":"usage","usage":5}\n',
      message: /is no run event: usage must be an object$/,
    },
    { what: 'that only the daemon says', line: '{"type":"started"}\n', message: /is no run event: type / },
    {
      what: 'with a bad value',
      line: '{"type":"step","number":1,"name":"a","progress":101}\n',
      message: /progress must be at most 100/,
    },
    {
      what: 'without an end',
      line: 'x'.repeat(1024 * 1024 + 1),
      message: /^Line 2 .+ is longer than 1024 KiB/,
    },
  ])(
    'fails clearly at a line $what, and is ended',
    async ({ line, message }) => {
      await writeFile(folder.at('lines'), `{"type":"text","delta":"before"}\n${line}`)
      const script =
        "const { createReadStream } = await import('node:fs'); createReadStream('lines').pipe(process.stdout, { end: false }); setInterval(() => {}, 1000)"
      await using opened = await workshopWith({ command: node(script), output: 'events' })
      const { status, text, failure } = foldRun(await eventsFrom(opened))
      expect({ status, text, kind: failure?.kind }).toEqual({
        status: 'failed',
        text: 'before',
        kind: 'bad_output',
      })
      expect(failure?.message).toMatch(message)
    },
    15_000,
  )
})

test('a command is not left at work where it cannot be written down which process it is', async () => {
  const settings = AgentSettings.parse({ command: [...node('setInterval(() => {}, 1000)'), folder.path] })
  const agent = await createCommandAgent({ ...place(), settings })
  await mkdir(folder.at('data/agent/run.process.json'), { recursive: true })
  const { signal } = new AbortController()
  const context = { runId: 'run', attempt: 1, asker: OPERATOR, signal, history: async () => [] }
  await expect(agent?.runner.run(ask('go'), { ...context, emit: async () => {} })).rejects.toThrow()
  const all = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  const left = all.filter((line) => line.includes(folder.path)).map((line) => Number.parseInt(line, 10))
  for (const pid of left) process.kill(pid, 'SIGKILL')
  expect(left).toEqual([])
}, 15_000)

describe('who may use the command', () => {
  const say = (word: string) => node(`process.stdout.write('${word}')`)

  test('nobody, before it is trusted on this machine, nor after it was changed', async () => {
    await using opened = await workshopWith({ command: say('a') }, { isTrusted: false })
    const refused = await opened.runs.start(ask('go'), OPERATOR).catch((error: Fault) => error)
    expect(refused).toMatchObject({ kind: 'forbidden', next: expect.stringContaining('cacpd config trust') })
    await trust('agent', AgentSettings.parse({ command: say('b') }), place())
    await expect(opened.runs.start(ask('go'), OPERATOR)).rejects.toMatchObject({ kind: 'forbidden' })
    await trust('agent', AgentSettings.parse({ command: say('a') }), place())
    expect(foldRun(await eventsFrom(opened)).text).toBe('a')
  })

  test('the operator, and agents that are listed', async () => {
    await using closed = await workshopWith({ command: say('a') })
    await expect(closed.runs.start(ask('go'), PEER)).rejects.toMatchObject({ kind: 'forbidden' })
    await using open = await workshopWith({ command: say('a'), allow: [PEER.agentId] })
    // Whoever only says a name, without a key, is not taken for its owner.
    for (const pretender of [PEER, { ...PEER, kind: 'open' } as const])
      await expect(open.runs.start(ask('go'), pretender)).rejects.toMatchObject({ kind: 'forbidden' })
    const { run } = await open.runs.start(ask('go'), LISTED)
    expect(foldRun(await eventsOf(open.runs, run)).text).toBe('a')
  })

  test('agents that are listed, also for another attempt after a restart', async () => {
    await using opened = await workshopWith({
      command: node("process.stdout.write('at it'); setInterval(() => {}, 1000)"),
      allow: [PEER.agentId],
    })
    const { run } = await opened.runs.start(ask('go'), LISTED)
    for await (const events of opened.runs.follow(run.run_id, LISTED))
      if (events.some(({ type }) => type === 'text')) break
    const runs = await opened.reopen()
    const again = await runs.start(ask('go'), LISTED, { retryFailed: true })
    expect(again.run).toMatchObject({ run_id: run.run_id, attempt: 2, runner: 'command' })
  }, 15_000)

  test('a built-in is there for all, unless a command stands in its place for who may use it', async () => {
    await using opened = await workshopWith({ commands: { echo: say('mine') } })
    const echo = requestWith({ work_type: 'echo', parameters: { text: 'plain' } })
    const { run } = await opened.runs.start(echo, PEER)
    expect(foldRun(await eventsOf(opened.runs, run)).text).toBe('plain')
    expect(foldRun(await eventsFrom(opened, echo)).text).toBe('mine')
    await expect(opened.runs.start(ask('x', { request_id: 'r2' }), OPERATOR)).rejects.toMatchObject({
      kind: 'unsupported_work_type',
    })
  })

  test('only so many at once', async () => {
    await using opened = await workshopWith({
      command: node('setInterval(() => {}, 1000)'),
      concurrency: 1,
    })
    await opened.runs.start(ask('one'), OPERATOR)
    await expect(opened.runs.start(ask('two', { request_id: 'r2' }), OPERATOR)).rejects.toMatchObject({
      kind: 'busy',
    })
  }, 15_000)
})

describe('the file of what is trusted', () => {
  test('is private, and keeps what other repositories trust', async () => {
    const settings = AgentSettings.parse({ command: ['a'] })
    await trust('agent', settings, place())
    await trust('agent', settings, { ...place(), dataDir: '/elsewhere/.cacp' })
    const path = join(folder.at('state'), 'trusted.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8')))).toEqual([
      folder.at('data'),
      '/elsewhere/.cacp',
    ])
  })
})
