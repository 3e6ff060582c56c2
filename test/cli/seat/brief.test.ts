import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

describe('cacpd brief', () => {
  let running: TestDaemon
  let cwd: string
  let projectId: string

  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = [
      { name: 'backend-api', role: 'backend', language: 'python' },
      { name: 'frontend-app', role: 'frontend', language: 'typescript' },
    ]
    expect(await cacpd(['brief'], { cwd })).toEqual({ exitCode: 0, out: '', err: '' })
    ;({ projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos }))
  })
  afterAll(() => running[Symbol.asyncDispose]())

  test('tells of the project where nothing is owed, and nothing where nothing is new', async () => {
    const { out } = await cacpd(['brief', '--project', 'Login'], { cwd })
    expect(out).toMatch(
      /\nProjects \(1\):\n- project «Login»; repos «backend-api» \(own\), «frontend-app» \(not/,
    )
    const { cursor } = JSON.parse((await cacpd(['brief', '--json'], { cwd })).out)
    expect((await cacpd(['brief', '--since', cursor], { cwd })).out).toBe('')
  })

  test('prints the bare text, the same after a restart, and beside it how to go on from there', async () => {
    await running.rpc('cacp/context/askQuestion', { projectId, question: 'A\u001b[31m\nb' })
    const { exitCode, out, err } = await cacpd(['brief', '--budget', '200'], { cwd })
    expect(exitCode).toBe(0)
    const [, since = ''] = /^next: what changes after this: cacpd brief --since (\S+)\n$/.exec(err) ?? []
    expect(await cacpd(['brief', '--since', since], { cwd })).toMatchObject({ exitCode: 0 })
    expect(out).toMatch(
      /^Coordination brief\. .*\nProjects \(1\):\n.*\nOpen questions \(1\):\n- your question «A \[31m b» waits for .*\n$/,
    )
    await running.restart()
    expect((await cacpd(['brief', '--project', projectId], { cwd })).out).toBe(out)
  })

  test.each([
    {
      words: ['--budget', '12'],
      says: /--budget: must be at least 100/,
      code: 2,
    },
    { words: ['--since', 'yesterday'], says: /since: is no cursor[\s\S]*for example/, code: 2 },
    { words: ['--since', 'elsewhere.7'], says: /of another store[\s\S]*go on from \S+\.\d+/, code: 1 },
  ])('refuses $words', async ({ words, says, code }) => {
    const { exitCode, err } = await cacpd(['brief', ...words], { cwd })
    expect(err).toMatch(says)
    expect(exitCode).toBe(code)
  })
})
