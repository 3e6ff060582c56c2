import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { progressLine } from '../../../src/cli/work/work.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { fakeAgent, success } from '../../support/network/fake-agent.ts'
import { cacpd } from '../captured-terminal.ts'

let here: TestDaemon
let there: TestDaemon
let cwd: string
beforeAll(async () => {
  here = await daemon({ open: true, peerRetrySeconds: [0, 0, 0, 0] })
  there = await daemon({ open: true, repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' })
  await here.rpc('cacp/peer/add', { url: there.url })
  cwd = dirname(here.dataDir)
})
afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await there[Symbol.asyncDispose]()
})

const work = (words: readonly string[], width?: number) =>
  cacpd(['work', ...words], { cwd, ...(width === undefined ? {} : { width, isWatched: true }) })
const ECHO = ['send', 'frontend-app', 'echo']

describe('cacpd work', () => {
  test('sends work, waits for it and prints what came of it', async () => {
    const { exitCode, out, err } = await work([
      ...ECHO,
      '--param',
      'text=hello',
      '--param',
      'repeat=2',
      '--wait',
    ])
    expect({ exitCode, out, err }).toEqual({ exitCode: 0, out: 'hellohello\n', err: '' })
  })

  test('shows how far it is on a terminal', async () => {
    const params = ['--param', 'text=x', '--param', 'repeat=3', '--param', 'delay_ms=100']
    const { out, err } = await work([...ECHO, ...params, '--wait'], 60)
    expect(out).toBe('xxx\n')
    const lines = err.trimEnd().split('\r').slice(1)
    expect(lines[0]).toMatch(/^\[ {20}\] {3}0 % {2}/)
    expect(lines.at(-1)?.trimEnd()).toBe('[####################] 100 %  3. echo')
    for (const line of lines) expect(line.trimEnd().length).toBeLessThan(60)
  })

  test('is JSON where asked, and does not wait unless asked', async () => {
    const { out } = await work([...ECHO, '--parameters', '{"text":"a"}', '--param', 'text=b', '--json'])
    const { workId } = JSON.parse(out).work
    await expect
      .poll(async () => JSON.parse((await work(['get', workId, '--json'])).out))
      .toMatchObject({ work: { workId, status: 'completed' }, result: { output: 'b', isSuccess: true } })
    const waited = await work([...ECHO, '--param', 'text=c', '--wait', '--json'])
    expect(JSON.parse(waited.out)).toMatchObject({ work: { status: 'completed' }, result: { output: 'c' } })
    const { out: table } = await work(['list'])
    expect(table).toMatch(/completed +100 +echo +frontend-app .* \d+ s ago /)
    const short = /^ +(\S+) +completed/m.exec(table)?.[1] ?? ''
    expect(short).toHaveLength(13)
    expect(JSON.parse((await work(['get', short, '--json'])).out).work.workId).toMatch(
      new RegExp(`^${short}`),
    )
    expect((await work(['get', short, '--wait'])).out).toBe('c\n')
    expect((await work(['cancel', short])).out).toMatch(/^status: completed$/m)
  })

  test('says how to wait for what was sent, and shows it line by line', async () => {
    const { out, err } = await work([...ECHO, '--param', 'text=later\n'])
    const workId = /^workId: (\S+)$/m.exec(out)?.[1] ?? ''
    expect(out).toMatch(/^status: \w+$/m)
    expect(err).toContain(`work get ${workId} --wait\n`)
    expect(await work(['get', workId, '--wait'])).toMatchObject({ exitCode: 0, out: 'later\n' })
    const { out: shown } = await work(['get', workId])
    expect(shown).toMatch(/^status: completed\nprogress: 100 %\nworkType: echo$/m)
    expect(shown).toMatch(/^exitCode: 0\noutput: later$/m)
    expect((await work(['cancel', workId])).out).toMatch(/^status: completed$/m)
  })

  test('cancels', async () => {
    const { out } = await work([
      ...ECHO,
      '--param',
      'text=x',
      '--param',
      'repeat=50',
      '--param',
      'delay_ms=1000',
      '--json',
    ])
    const { workId } = JSON.parse(out).work
    expect(JSON.parse((await work(['cancel', workId, '--json'])).out).work.status).toBe('canceled')
  })

  test('ends with 1 and says why when it did not work out', async () => {
    expect(await work(['send', 'frontend-app', 'nope', '--wait'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('Nobody here does work of the type nope'),
    })
    // A problem costs the table nothing: still one line for each.
    expect((await work(['list'])).out).toMatch(/ failed +0 +nope .* 5006: Nobody here does work of the .*…\n/)
    expect(await work(['send', 'nobody', 'echo'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('nobody is no peer of this daemon'),
    })
  })

  test('is one JSON document also when it did not work out', async () => {
    const { exitCode, out, err } = await work(['send', 'frontend-app', 'nope', '--wait', '--json'])
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' })
    expect(JSON.parse(out)).toMatchObject({ work: { status: 'failed', error: { code: 5006 } }, result: null })
  })

  test('shows what is missing of an output, and that an agent canceled', async () => {
    await using agent = await fakeAgent({
      serve: ({ message, answer, json }) => {
        const { task_id, work_type } = message.payload
        const how = work_type === 'cancelled' ? { status: 'cancelled' } : { output_chunk: 'bytes 5-8 of 8' }
        json(200, answer('work_result', success(task_id, 'end', how)))
      },
    })
    await here.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(agent.registration),
    })
    const { exitCode, out, err } = await work(['send', 'worker', 'build', '--wait'])
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: 'end\n' })
    expect(err).toContain('The output did not come whole: bytes 0-5 never came (5003)')
    const [{ workId }] = (await here.rpc('cacp/work/list', {})).works
    expect((await work(['get', workId])).out).toMatch(/^exitCode: 0\nmissing: bytes 0-5\noutput: end$/m)
    expect(await work(['send', 'worker', 'cancelled', '--wait'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('The work of worker was canceled'),
    })
  })

  test.each([
    [['send'], 'PEER is missing: its agent ID, repository or URL'],
    [['send', 'frontend-app'], 'TYPE is missing: what kind of work, such as answer_question'],
    [['send', 'frontend-app', 'echo', '--peer', 'b'], 'Name one peer, not two'],
    [[...ECHO, '--param', 'text'], '--param: must be key=value, not text'],
    [[...ECHO, '--parameters', '[]', '--param', 'a=b'], '--parameters: must be a JSON object'],
    [[...ECHO, '--hints', '{"max_duration_seconds":-1}'], '--hints.max_duration_seconds'],
    [['get'], 'WORK is missing: its ID'],
  ])('%j is refused before anything is sent', async (words, message) => {
    const { exitCode, err } = await work(words)
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(message) })
  })

  test('records the result on the contract that it names', async () => {
    const { projectId } = await here.rpc('cacp/project/create', { name: 'p', objective: 'o' })
    const proposal = { projectId, type: 'custom', name: 'c', content: { a: 1 } }
    const { contractId } = await here.rpc('cacp/contract/propose', proposal)
    const short = contractId.slice(0, 13)
    const words = [...ECHO, '--param', 'text=done', '--contract', short, '--wait', '--json']
    const { work: sent } = JSON.parse((await work(words)).out)
    const { packets } = await here.rpc('cacp/context/list', { projectId })
    expect(packets).toMatchObject([
      {
        packet_id: sent.packetId,
        related_contracts: [contractId],
        content: { output: 'done', work_type: 'echo' },
      },
    ])
    expect(await work([...ECHO, '--contract', 'nope'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('No contract nope here'),
    })
  })
})

describe('the line that shows progress', () => {
  test('never shows what a terminal would act on, and never breaks', () => {
    const line = progressLine(
      { status: 'running', progress: 50, step: { number: 2, name: `\u001b[31m${'x'.repeat(200)}` } },
      80,
    )
    expect(line).toHaveLength(79)
    expect(line).toMatch(/^\[#{10} {10}\] {2}50 % {2}2\. \\x1b\[31mx+$/)
    expect(progressLine({ status: 'sending', progress: 0, step: null }, 80).trimEnd()).toBe(
      '[                    ]   0 %  sending',
    )
  })
})
