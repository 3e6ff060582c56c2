import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Runs } from '../../../src/methods/runs/service.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { requestWith } from '../../support/dialects/run-events.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { OPERATOR } from '../../support/runs/test-runs.ts'
import { cacpd } from '../captured-terminal.ts'

describe('cacpd runs', () => {
  let running: TestDaemon
  let runs: Runs
  let cwd: string

  beforeEach(async () => {
    running = await daemon()
    ;({ runs } = running)
    cwd = dirname(running.dataDir)
  })
  afterEach(() => running[Symbol.asyncDispose]())

  const start = (parameters: object, request_id = 'r1') =>
    runs.start(requestWith({ request_id, work_type: 'echo', parameters: { ...parameters } }), OPERATOR)

  test('says that there are none, lists them, and is JSON where asked', async () => {
    expect((await cacpd(['runs'], { cwd })).out).toBe('runs: none\n')
    const { run } = await start({ text: 'hello' })
    for await (const _ of runs.follow(run.run_id, OPERATOR));
    const { out } = await cacpd(['runs'], { cwd })
    expect(out).toMatch(/completed +echo +hello .* \d+ s ago /)
    const [, short = ''] = /^ +(\S+) +completed/m.exec(out) ?? []
    expect(run.run_id.startsWith(short) && short.length < run.run_id.length).toBe(true)
    expect((await cacpd(['runs', 'follow', short], { cwd })).out).toBe('hello\n')
    expect((await cacpd(['runs', 'cancel', short], { cwd })).out).toContain(short)
    expect((await cacpd(['runs', '--times', 'iso'], { cwd })).out).toMatch(/ 2\S+Z /)
    const { out: json } = await cacpd(['runs', '--json'], { cwd })
    expect(JSON.parse(json)).toMatchObject({ runs: [{ run_id: run.run_id, status: 'completed' }] })
  })

  test('follows one live, text on the one side and progress on the other', async () => {
    const { run } = await start({ text: 'ab\u001b[31m', repeat: 3, delay_ms: 50 })
    const { exitCode, out, err } = await cacpd(['runs', 'follow', run.run_id], { cwd })
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: `${'ab\\x1b[31m'.repeat(3)}\n` })
    expect(err).toMatch(/^echo\n {1}33 % 1\. echo\n[\s\S]*100 % 3\. echo\ncompleted after /)
    const { out: lines } = await cacpd(['runs', 'follow', run.run_id, '--json'], { cwd })
    const events = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    expect(events.at(-1)).toMatchObject({ type: 'completed' })
  })

  test('ends the text of one with one line end, whoever wrote it', async () => {
    const { run } = await start({ text: 'ab\n' })
    expect((await cacpd(['runs', 'follow', run.run_id], { cwd })).out).toBe('ab\n')
  })

  test('cancels one; whoever follows it is told, with exit code 1', async () => {
    const { run } = await start({ text: 'x', repeat: 1000, delay_ms: 1000 })
    const following = cacpd(['runs', 'follow', run.run_id], { cwd })
    const { out } = await cacpd(['runs', 'cancel', run.run_id, '--json'], { cwd })
    expect(JSON.parse(out)).toMatchObject({ run: { status: 'canceled' } })
    const { out: table } = await cacpd(['runs', 'cancel', run.run_id], { cwd })
    expect(table).toMatch(/canceled +echo +x/)
    expect(await following).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('error: The run was canceled: canceled by request'),
    })
  })

  test('says clearly that there is no such run', async () => {
    const { exitCode, err } = await cacpd(['runs', 'follow', 'nope'], { cwd })
    expect({ exitCode, err }).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('error: No run nope here\nnext: List the runs with cacpd runs'),
    })
  })

  test.each(['runs', 'runs follow', 'runs cancel', 'config trust'])(
    'has an example in the help of cacpd %s',
    async (words) => {
      const { exitCode, out } = await cacpd([...words.split(' '), '--help'], { cwd })
      expect({ exitCode, out }).toEqual({
        exitCode: 0,
        out: expect.stringMatching(new RegExp(`Examples?:\\n  cacpd ${words}`)),
      })
    },
  )
})

describe('cacpd config trust', () => {
  let folder: Folder
  beforeEach(async () => {
    folder = await folderWith({ '.git/': '', '.cacp/': '', 'state/': '' })
  })
  afterEach(() => folder[Symbol.asyncDispose]())

  const configure = (agent: object) =>
    writeFile(join(folder.path, '.cacp', 'config.json'), JSON.stringify({ agent }))
  const trust = (words: string[] = [], ask?: (question: string) => Promise<string>) =>
    cacpd(['config', 'trust', ...words], {
      cwd: folder.path,
      env: { XDG_STATE_HOME: folder.at('state'), CACP_DATA: folder.at('.cacp') },
      ...(ask === undefined ? {} : { ask }),
    })

  test('shows the command and trusts it only with --yes, where nobody can be asked', async () => {
    await configure({ command: ['my-agent', '--print', 'a "b"\u001b'] })
    const refused = await trust()
    expect(refused.exitCode).toBe(2)
    expect(refused.out).toContain('all work: "my-agent" "--print" "a \\"b\\"\\\\x1b"')
    expect(refused.err).toContain('--yes')
    expect(await trust(['--yes'])).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/Trusted on this machine, until it changes\. .* at its next start\.\n$/),
    })
    expect((await trust()).out).toBe('It was trusted before.\n')
    await configure({ command: ['my-agent', '--print', 'else'] })
    expect((await trust()).exitCode).toBe(2)
  })

  test('asks whoever sits at the terminal', async () => {
    await configure({ command: ['my-agent'] })
    expect((await trust([], async () => 'n')).exitCode).toBe(2)
    expect((await trust([], async () => 'y')).exitCode).toBe(0)
  })

  test('shows what lets others in, but no token, and trusts it beside the command', async () => {
    const token = 'a'.repeat(32)
    const orchestrator = 'aid://example.com/orchestrator@1.0.0'
    await writeFile(
      folder.at('.cacp/config.json'),
      JSON.stringify({
        agent: { command: ['my-agent'] },
        open: true,
        chiffonTokens: { [orchestrator]: token },
      }),
    )
    const refused = await trust()
    expect(refused.exitCode).toBe(2)
    expect(refused.out).toContain(`\n  open: true\n  chiffonTokens: ["${orchestrator}"]\n`)
    expect(refused.out + refused.err).not.toContain(token)
    const { out } = await trust(['--yes', '--json'])
    expect(out).not.toContain(token)
    expect(JSON.parse(out)).toMatchObject({
      trusted: true,
      agent: { command: ['my-agent'] },
      opening: { open: true, chiffonTokens: [orchestrator] },
    })
    expect((await trust()).out).toBe('It was trusted before.\n')
  })

  test('says it as JSON', async () => {
    await configure({ commands: { build: ['make'] } })
    const { out } = await trust(['--yes', '--json'])
    expect(JSON.parse(out)).toMatchObject({ trusted: true, agent: { commands: { build: ['make'] } } })
  })

  test('says what could be trusted where nothing is there to trust', async () => {
    expect(await trust()).toMatchObject({ exitCode: 2, err: expect.stringContaining('{"agent": {"command"') })
  })
})
