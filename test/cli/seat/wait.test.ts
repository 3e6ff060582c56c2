import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

let running: TestDaemon
let cwd: string
let projectId: string
let contractId: string
beforeAll(async () => {
  running = await daemon()
  cwd = dirname(running.dataDir)
  ;({ projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '' }))
  const contract = { projectId, type: 'custom', name: 'Profile', content: {} }
  ;({ contractId } = await running.rpc('cacp/contract/propose', contract))
})
afterAll(() => running[Symbol.asyncDispose]())

const onContract = (...more: string[]) => [
  'wait',
  'contract',
  '--project',
  projectId,
  '--contract',
  contractId,
  ...more,
]

describe('cacpd wait', () => {
  test('exits with 0 and says what is true', async () => {
    const { exitCode, out, err } = await cacpd(onContract('--status', 'proposed'), { cwd })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toContain('status: proposed\nversion: 1\n')
  })

  test('tells people what there is to do, without JSON', async () => {
    const { out, exitCode } = await cacpd(['wait', 'inbox', '--timeout', '20'], { cwd })
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('answer_contract') })
    expect(out).toContain('Profile')
    expect(out).not.toMatch(/[{}]/)
  })

  test('exits with 3 when the time is over, as JSON with the cursor', async () => {
    const { exitCode, out } = await cacpd(onContract('--status', 'verified', '--timeout', '1', '--json'), {
      cwd,
    })
    expect(exitCode).toBe(3)
    expect(JSON.parse(out)).toEqual({
      met: false,
      timedOut: true,
      pending: [expect.objectContaining({ contractId, name: 'Profile', status: 'proposed' })],
      cursor: expect.stringMatching(/\.\d+$/),
    })
  })

  test('says on a terminal what it waits for since when, and who acted last, beside the result', async () => {
    const words = onContract('--status', 'verified', '--timeout', '2')
    const { exitCode, out, err } = await cacpd(words, { cwd, isWatched: true })
    expect({ exitCode, out }).toEqual({ exitCode: 3, out: '' })
    expect(err).toMatch(
      /^waiting for Profile to be verified: version 1 is proposed; backend-api to answer it since \d{4}-\d\d-\d\d \d\d:\d\dZ; last, \d{4}-\d\d-\d\d \d\d:\d\dZ: backend-api, proposed\nThe time is over/,
    )
    expect((await cacpd(words, { cwd })).err).toMatch(
      /^The time is over, and it is not true yet: waiting for Profile to be verified: version 1 is proposed; backend-api to answer it/,
    )
    expect((await cacpd([...words, '--json'], { cwd, isWatched: true })).err).toBe('')
  })

  test('tells on a terminal what changes while it waits', async () => {
    const proposed = { projectId, type: 'custom', name: 'Log Out', content: {} }
    await running.rpc('cacp/contract/propose', proposed)
    let err = ''
    const waiting = cacpd(['contract', 'wait', 'Log Out', '--status', 'implemented', '--timeout', '0'], {
      cwd,
      isWatched: true,
      complain: (text) => {
        err += text
      },
    })
    await expect.poll(() => err, { timeout: 10_000 }).toContain('waiting for Log Out to be implemented')
    const target = { projectId, contractId: 'Log Out' }
    await running.rpc('cacp/contract/respond', { ...target, action: 'agree' })
    await expect
      .poll(() => err, { timeout: 20_000 })
      .toContain('version 1 is agreed; backend-api to implement it')
    await running.rpc('cacp/implementation/start', target)
    await running.rpc('cacp/implementation/complete', { ...target, files: [] })
    expect((await waiting).exitCode).toBe(0)
  }, 40_000)

  test('says also that it waits for something to do', async () => {
    await using own = await daemon()
    const { err } = await cacpd(['wait', 'inbox', '--timeout', '2'], {
      cwd: dirname(own.dataDir),
      isWatched: true,
    })
    expect(err).toMatch(/^waiting for something to do\n/)
  })

  test('on a contract is shorter below the contracts', async () => {
    const short = (...more: string[]) => cacpd(['contract', 'wait', ...more], { cwd })
    expect(await short('Profile', '--status', 'proposed')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('status: proposed'),
    })
    const begun = await short(contractId.slice(0, 13), '--project-id', 'Login', '--version-above', '0')
    expect(begun.exitCode).toBe(0)
    const { exitCode, err } = await short('Profile', '--timeout', '1')
    expect({ exitCode, err }).toEqual({
      exitCode: 3,
      err: expect.stringMatching(/^The time is over, and it is not true yet: waiting for /),
    })
    expect(await short('Profile', '--version-above', 'new')).toMatchObject({ exitCode: 2 })
    expect(await short('Nothing')).toMatchObject({ exitCode: 1 })
  })

  test('exits with 1 for what is not there', async () => {
    const words = ['wait', 'project', '--project', 'missing', '--status', 'complete']
    const { exitCode, err } = await cacpd(words, { cwd })
    expect(exitCode).toBe(1)
    expect(err).toMatch(/No project missing here/)
  })

  test('waits for the first of several', async () => {
    const far = JSON.stringify({ contract: { projectId, contractId, statusAtLeast: 'verified' } })
    const near = JSON.stringify({ contract: { projectId, contractId, statusAtLeast: 'proposed' } })
    const { exitCode, out } = await cacpd(['wait', 'any', far, near, '--json'], { cwd })
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ met: true, condition: JSON.parse(near) })
  })

  test('has shown nothing to anybody where it only looked up since when to wait', async () => {
    await using own = await daemon()
    const frontend = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
    const created = await own.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
    const onProject = { projectId: created.projectId }
    await own.rpc('cacp/project/join', { ...onProject, repoName: 'frontend-app' }, frontend)
    await own.rpc('cacp/context/askQuestion', { ...onProject, question: 'Why?' }, frontend)
    const waited = await cacpd(['wait', 'feed', '--timeout', '1'], { cwd: dirname(own.dataDir) })
    expect(waited.exitCode).toBe(3)
    // What was seen is on disk by then.
    await own.restart()
    expect(await own.rpc('cacp/feed/read', { kinds: ['receipt'] })).toMatchObject({ events: [] })
  })

  test('exits with 0 as soon as it becomes true, also when it waits for ever', async () => {
    const waiting = cacpd(['wait', 'feed', '--timeout', '0', '--json'], { cwd })
    let isOver = false
    void waiting.finally(() => {
      isOver = true
    })
    // Since now: only what is written after it has begun counts, so somebody goes on writing.
    while (!isOver) await running.rpc('cacp/context/askQuestion', { projectId, question: 'Why?' })
    const { exitCode, out } = await waiting
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ met: true, about: { kind: 'packet', projectId } })
  })

  test.each([
    { words: ['wait', 'feed', '--since', 'yesterday'], says: /since: is no cursor[\s\S]*for example/ },
    { words: ['wait', 'any', 'inbox'], says: /inbox: is no JSON[\s\S]*For example cacpd wait any/ },
    { words: ['wait', 'any', '{"box":{}}'], says: /until\.any\.0: must have exactly one of contract/ },
    { words: ['wait', 'project', '--project', 'p'], says: /required option '--status <text>'/ },
    {
      words: ['wait', 'inbox', '--timeout', 'long'],
      says: /--timeout: must be a whole number of seconds, such as 50/,
    },
    {
      words: ['wait', 'contract', '--contract', 'missing'],
      says: /until\.contract: must have statusAtLeast, versionAbove or both/,
    },
  ])('exits with 2 where it makes no sense: $words', async ({ words, says }) => {
    const { exitCode, out, err } = await cacpd(words, { cwd })
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toMatch(says)
  })

  test('exits with 2 without a goal, and says what is missing', async () => {
    const { exitCode, err } = await cacpd(onContract(), { cwd })
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: expect.stringContaining('must have statusAtLeast, versionAbove or both'),
    })
  })
})

describe('cacpd watch', () => {
  test('shows each change in one line, from a cursor on, and goes on when the daemon is back', async () => {
    const { cursor } = await running.rpc('cacp/inbox/list', {})
    const lines: string[] = []
    const watching = cacpd(['watch', '--lines', '--since', cursor, '--count', '2', '--kind', 'contract'], {
      cwd,
      print: (text) => void lines.push(String(text)),
    })
    const one = { projectId, type: 'custom', name: 'One line', content: {} }
    await running.rpc('cacp/contract/propose', one)
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1)
    await running.restart()
    await running.rpc('cacp/contract/propose', { ...one, name: 'Two' })
    expect((await watching).exitCode).toBe(0)
    expect(lines).toEqual([
      expect.stringMatching(/^\S+Z contract One line v1 proposed \S+\n$/),
      expect.stringMatching(/^\S+Z contract Two v1 proposed \S+\n$/),
    ])
  })

  test('refuses what makes no sense', async () => {
    expect(await cacpd(['watch', '--count', 'all'], { cwd })).toMatchObject({ exitCode: 2 })
    expect(await cacpd(['watch', '--kind', 'agent'], { cwd })).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('must be one of project, repo, contract, packet, receipt'),
    })
  })
})
