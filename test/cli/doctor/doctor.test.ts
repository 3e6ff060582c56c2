import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, cp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/cli/doctor/diagnosis.ts'
import { endDaemon } from '../../../src/io/background/end-daemon.ts'
import { writeBackground } from '../../../src/io/background/state.ts'
import { readEndpoint, rememberEndpoint } from '../../../src/io/place/data-dir.ts'
import { processStart } from '../../../src/io/runner/process-start.ts'
import { tryMcp } from '../../../src/io/setup/try-mcp.ts'
import { inspectStore } from '../../../src/io/store/directory/inspect-store.ts'
import { copyStore } from '../../support/daemons/copy-store.ts'
import { daemon } from '../../support/daemons/daemon.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { cacpd } from '../captured-terminal.ts'

interface Report {
  readonly healthy: boolean
  readonly fixed: readonly string[]
  readonly notFixed: readonly string[]
  readonly findings: readonly (Finding & { readonly fixable: boolean })[]
}

const ENV = { PATH: process.env['PATH'], HOME: '/nowhere' }
const KILLED = {
  pid: 2 ** 30,
  processStart: 'long ago',
  phase: 'running',
  since: '2026-11-16T09:00:00.000Z',
  restarts: 0,
} as const

async function doctor(cwd: string, flags: readonly string[] = [], env: Record<string, string> = {}) {
  const { exitCode, out } = await cacpd(['doctor', '--json', ...flags], { cwd, env: { ...ENV, ...env } })
  const report = JSON.parse(out) as Report
  expect(exitCode).toBe(report.healthy ? 0 : 1)
  return report
}

const findingsOf = ({ findings }: Report, check: string) =>
  findings.filter((finding) => finding.check === check)

/** What a daemon left that was stopped in order, to be broken in one way after the other. */
let stopped: Folder
beforeAll(async () => {
  stopped = await folderWith({ '.git/': '' })
  await using running = await daemon()
  await running.rpc('cacp/project/create', { name: 'Auth', objective: 'Log in' })
  await running.rpc('cacp/project/create', { name: 'Auth', objective: 'Log in' })
  await copyStore(running.dataDir, stopped.at('.cacp'))
  const endpoint = await readEndpoint(running.dataDir)
  if (endpoint !== undefined) await rememberEndpoint(stopped.at('.cacp'), { ...endpoint, pid: KILLED.pid })
})
afterAll(() => stopped[Symbol.asyncDispose]())

async function broken(how: (data: string) => Promise<unknown>): Promise<Folder> {
  const folder = await folderWith()
  await cp(stopped.path, folder.path, { recursive: true, preserveTimestamps: true })
  await chmod(folder.at('.cacp'), 0o700)
  await how(folder.at('.cacp'))
  return folder
}

async function flipByte(path: string, at: number): Promise<void> {
  const bytes = await readFile(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
}

const BROKEN: readonly {
  name: string
  /** Whether a daemon could be started all the same. */
  canStart?: boolean
  how: (data: string) => Promise<unknown>
  env?: Record<string, string>
  check: string
  verdict?: string
  message: RegExp
  fix: RegExp
  fixable?: boolean
}[] = [
  {
    name: 'an unknown setting',
    canStart: false,
    how: (data) => writeFile(`${data}/config.json`, '{"prot":1}'),
    check: 'settings',
    message: /has the unknown key "prot"/,
    fix: /Correct it in .+config\.json/,
  },
  {
    name: 'settings that are no JSON',
    canStart: false,
    how: (data) => writeFile(`${data}/config.json`, '{'),
    check: 'settings',
    message: /config\.json is not JSON/,
    fix: /Correct it/,
  },
  {
    name: 'a variable that is no setting',
    how: async () => {},
    env: { CACP_PROT: '1' },
    check: 'settings',
    verdict: 'note',
    message: /CACP_PROT/,
    fix: /CACP_PORT/,
  },
  {
    name: 'an agent command that nobody trusted',
    how: (data) => writeFile(`${data}/config.json`, '{"agent":{"command":["my-agent"]}}'),
    check: 'settings',
    message: /is not trusted on this machine/,
    fix: /cacpd config trust/,
  },
  {
    name: 'a data directory that is open to all',
    how: (data) => chmod(data, 0o755),
    check: 'data directory',
    message: /Other users can look into/,
    fix: /chmod 700/,
    fixable: true,
  },
  {
    name: 'a data directory that git would take in',
    how: (data) => rm(`${data}/.gitignore`),
    check: 'data directory',
    message: /keeps git from taking in/,
    fix: /\.gitignore/,
    fixable: true,
  },
  {
    name: 'a link through which a daemon would write elsewhere',
    canStart: false,
    how: (data) => symlink('../notes', `${data}/daemon.log`),
    check: 'data directory',
    message: /daemon\.log is a link/,
    fix: /Remove it/,
  },
  {
    name: 'a key that others can read',
    canStart: false,
    how: (data) => chmod(`${data}/operator.key`, 0o644),
    check: 'data directory',
    message: /operator key .+ can be read by other users/,
    fix: /Remove it and restart/,
  },
  {
    name: 'an identity that is none',
    canStart: false,
    how: (data) => writeFile(`${data}/identity.json`, '{}'),
    check: 'data directory',
    message: /does not hold an identity/,
    fix: /./,
  },
  {
    name: 'a snapshot that was changed',
    canStart: false,
    how: (data) => flipByte(`${data}/state.json`, 12),
    check: 'journal',
    message: /state\.json is damaged at byte .+ Restore the data directory from a backup/,
    fix: /^$/,
  },
  {
    name: 'a journal that is damaged within',
    canStart: false,
    how: (data) => flipByte(`${data}/journal.1`, 60),
    check: 'journal',
    message: /journal\.1 is damaged at byte .+others follow it/,
    fix: /^$/,
  },
  {
    name: 'a journal that a crash cut short',
    how: (data) => appendFile(`${data}/journal.1`, 'half a fra'),
    check: 'journal',
    verdict: 'note',
    message: /cut the last write short/,
    fix: /cacpd up -d/,
  },
  {
    name: 'pieces that were set aside',
    how: (data) => writeFile(`${data}/journal.damaged-1`, ''),
    check: 'journal',
    verdict: 'note',
    message: /set aside: journal\.damaged-1/,
    fix: /Remove them/,
  },
  {
    name: 'no daemon',
    how: async () => {},
    check: 'daemon',
    message: /^No daemon runs for \S+$/,
    fix: /cacpd up -d/,
    fixable: true,
  },
  {
    name: 'a daemon that was given up',
    how: (data) =>
      writeBackground(data, {
        ...KILLED,
        phase: 'gave up',
        problem: { message: 'It crashed 10 times', next: 'See `cacpd logs`' },
      }),
    check: 'daemon',
    message: /: It crashed 10 times$/,
    fix: /cacpd logs/,
    fixable: true,
  },
  {
    name: 'a note of where it listens that is none',
    how: (data) => writeFile(`${data}/endpoint.json`, '{}'),
    check: 'daemon',
    message: /does not say where a daemon listens/,
    fix: /with --port/,
  },
  {
    name: 'agents whose file is broken',
    how: (data) => writeFile(`${data}/../.mcp.json`, '{ broken').then(() => setUp(data)),
    check: 'agents',
    message: /^\.mcp\.json /,
    fix: /put this in by hand/,
  },
]

const setUp = (data: string) => cacpd(['init', '--agents', 'claude'], { cwd: dirname(data), env: ENV })

describe('cacpd doctor', () => {
  test.each(BROKEN)(
    'finds $name',
    async ({ how, env, check, verdict = 'wrong', message, fix, fixable = false, canStart = true }) => {
      await using folder = await broken(how)
      const report = await doctor(folder.path, [], env)
      const found = findingsOf(report, check).find((one) => message.test(one.message))
      expect(found).toMatchObject({ verdict, fixable })
      expect(found?.fix ?? '').toMatch(fix)
      // What keeps a daemon from starting is put right first.
      expect(report.findings.filter((one) => one.check === 'daemon' && one.fixable && !canStart)).toEqual([])
      // What else is named is only that nobody runs, and that no agent was set up.
      const others = report.findings.filter(
        (one) => one !== found && one.verdict === 'wrong' && one.check !== 'daemon',
      )
      expect(others.filter((one) => one.message !== found?.message)).toEqual([])
    },
  )

  test('finds that somebody else has the port', async () => {
    await using folder = await broken(async () => {})
    const { port = 0 } = (await readEndpoint(folder.at('.cacp'))) ?? {}
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    const report = await doctor(folder.path)
    expect(findingsOf(report, 'port')).toMatchObject([
      {
        verdict: 'wrong',
        message: expect.stringContaining(`Port ${port}`),
        fix: expect.stringContaining('--port'),
      },
    ])
    taken.close()
  })

  test('finds a daemon that is there and does not answer', async () => {
    const deaf = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(deaf, 'listening')
    const { port } = deaf.address() as AddressInfo
    await using folder = await broken(async (data) => {
      const endpoint = await readEndpoint(data)
      if (endpoint === undefined) throw new Error('nothing was remembered')
      const url = `http://127.0.0.1:${port}`
      const own = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' }
      await rememberEndpoint(data, { ...endpoint, url, port, ...own })
    })
    expect(findingsOf(await doctor(folder.path), 'daemon')).toMatchObject([
      {
        verdict: 'wrong',
        message: expect.stringContaining('does not answer'),
        fix: expect.stringContaining('cacpd down'),
      },
    ])
    deaf.close()
  })

  test('says of a folder without anything what to do first', async () => {
    await using folder = await folderWith()
    const report = await doctor(folder.path)
    expect(findingsOf(report, 'repository')).toMatchObject([
      { verdict: 'note', fix: expect.stringContaining('git init') },
    ])
    expect(findingsOf(report, 'data directory')).toMatchObject([{ verdict: 'note' }])
    await expect(stat(folder.at('.cacp'))).rejects.toThrow('ENOENT')
  })

  test('changes nothing without --fix; with it puts right what it can, and then all is green', async () => {
    await using running = await daemon()
    const { dataDir } = running
    const cwd = dirname(dataDir)
    execFileSync('git', ['init', '-q', cwd])
    expect(await setUp(dataDir)).toMatchObject({ exitCode: 0 })
    const healthy = await doctor(cwd)
    expect(healthy.findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    expect(findingsOf(healthy, 'mcp')).toMatchObject([{ message: expect.stringMatching(/ mcp` answers$/) }])

    await chmod(dataDir, 0o755)
    await rm(`${dataDir}/.gitignore`)
    await rm(`${cwd}/.mcp.json`)
    expect((await doctor(cwd)).findings.filter(({ fixable }) => fixable)).toHaveLength(3)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o755)

    const fixed = await doctor(cwd, ['--fix'])
    expect(fixed.fixed).toHaveLength(3)
    expect(fixed.findings).toEqual(healthy.findings)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(JSON.parse(await readFile(`${cwd}/.mcp.json`, 'utf8'))).toHaveProperty('mcpServers.cacp')

    await writeFile(`${cwd}/.mcp.json`, '{ "mcpServers": { "cacp": ')
    await rm(`${cwd}/AGENTS.md`)
    const half = await doctor(cwd, ['--fix'])
    expect(half).toMatchObject({ healthy: false, fixed: [], notFixed: ['Left as it is: .mcp.json'] })
  })

  test('starts the daemon whose watcher was killed with it, when asked to fix', async () => {
    await using folder = await broken((data) => writeBackground(data, KILLED))
    expect(findingsOf(await doctor(folder.path), 'daemon')).toMatchObject([
      {
        verdict: 'wrong',
        message: expect.stringContaining('that watched over it was killed'),
        fixable: true,
      },
    ])
    const report = await doctor(folder.path, ['--fix'])
    expect(await endDaemon(folder.at('.cacp'))).toHaveLength(2)
    expect(report).toMatchObject({ healthy: true, fixed: [expect.stringContaining('Started the daemon')] })
  })

  test('says of what it could not fix that it did not', async () => {
    await using folder = await broken(async (data) => {
      await setUp(data)
      await rm(`${data}/../.claude`, { recursive: true })
      await writeFile(`${data}/../.claude`, 'a file')
      await rm(`${data}/../.mcp.json`)
      await writeFile(`${data}/config.json`, '{ broken')
    })
    const report = await doctor(folder.path, ['--fix'])
    expect(report).toMatchObject({ healthy: false, fixed: [] })
    expect(report.notFixed).toEqual(['Left as it is: .claude/skills/cacp/SKILL.md'])
    expect(findingsOf(report, 'daemon')).toMatchObject([
      { fixable: false, fix: 'Put right what is said above; then start it with `cacpd up -d`' },
    ])
    const { out } = await cacpd(['doctor', '--fix'], { cwd: folder.path, env: ENV })
    expect(out).not.toContain('fixed: Not')
    // Lines to paste stand below what they are about.
    expect(out).toMatch(/^ {4}Mend it, or put this in by hand:\n {4}---\n {4}name: cacp$/m)
  })

  test('speaks to people in lines with a sign, and says what --fix would do', async () => {
    await using folder = await broken(async () => {})
    await mkdir(folder.at('src'))
    const { exitCode, out } = await cacpd(['doctor'], { cwd: folder.at('src'), env: ENV })
    expect(exitCode).toBe(1)
    expect(out).toMatch(
      /^✓ repository: \S+\n✓ settings: .+\n✓ data directory: \S+\n✓ journal: Whole, with \d+ entries\n✗ daemon: /,
    )
    expect(out).toContain('\n    Start it with `cacpd up -d`\n')
    expect(out).toMatch(/1 thing has to be put right\.\n`cacpd doctor --fix` can do that for 1\.\n$/)
  })
})

test.each([
  ['says why', "console.error('error: no such thing')", 'error: no such thing'],
  ['says nothing', '', 'it ended without an answer'],
  ['says something else', "console.log('hello')", 'it ended without an answer'],
])('an MCP command that ends and %s does not pass', async (_what, script, problem) => {
  const own = { command: process.execPath, args: ['-e', script] }
  expect(await tryMcp(own, { cwd: '/', env: {} })).toBe(problem)
})

test('an MCP command that is not there does not pass', async () => {
  const found = tryMcp({ command: '/not/there', args: [] }, { cwd: '/', env: {} })
  expect(await found).toBe('it cannot be started (ENOENT)')
})

test('a store is found whole while its daemon writes and compacts', async () => {
  await using running = await daemon({ compactBytes: 4096 })
  const writing = Promise.all(
    Array.from({ length: 150 }, () =>
      running.rpc('cacp/project/create', { name: 'p', objective: 'x'.repeat(200) }),
    ),
  )
  for (let look = 0; look < 15; look++)
    expect(await inspectStore(running.dataDir, { isDaemonRunning: true })).toMatchObject({ setAside: [] })
  await writing
  expect((await inspectStore(running.dataDir, { isDaemonRunning: true }))?.changes).toBeGreaterThanOrEqual(
    300,
  )
})
