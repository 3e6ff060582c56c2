import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, mkdir, rename, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { nextSteps } from '../../../src/cli/output/next-steps.ts'
import { type BackgroundState, writeBackground } from '../../../src/io/background/state.ts'
import { readEndpoint, rememberEndpoint } from '../../../src/io/place/data-dir.ts'
import { processStart } from '../../../src/io/runner/process-start.ts'
import { LAUNCHER } from '../../../src/launcher.ts'
import { pageText } from '../../docs/pages.ts'
import { copyStore } from '../../support/daemons/copy-store.ts'
import { daemon } from '../../support/daemons/daemon.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { cacpd } from '../captured-terminal.ts'

/** Above every limit for pids, so no process has it. */
const NO_PROCESS = 2 ** 30
const STATE: BackgroundState = {
  pid: NO_PROCESS,
  processStart: 'long ago',
  phase: 'running',
  since: '2026-11-16T09:00:00.000Z',
  restarts: 3,
}
const CRASHED = { message: 'The daemon ended with exit code 1', next: 'See `cacpd logs`' }

/** The built program in a process of its own. */
function spawnCacpd(words: readonly string[], cwd: string, user: { uid?: number } = {}) {
  const env = { PATH: process.env['PATH'], CACP_PORT: '0', HOME: '/nowhere' }
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    cwd,
    env,
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  return {
    child,
    exited,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

describe('cacpd logs', () => {
  const LINES = [
    'error: plain words',
    '{"level":30,"time":"2026-11-16T09:00:00.000Z","url":"http://127.0.0.1:8080","msg":"the daemon listens"}',
    '{"level":50,"time":"2026-11-16T09:00:01.000Z","err":{"stack":"Error: boom\\n    at x"},"msg":"unexpected failure"}',
  ]
  const files = { '.git/': '', '.cacp/daemon.log.1': 'older\n', '.cacp/daemon.log': `${LINES.join('\n')}\n` }

  test('shows the last lines for people, and as they are with --json', async () => {
    await using folder = await folderWith(files)
    expect(await cacpd(['logs'], { cwd: folder.path })).toEqual({
      exitCode: 0,
      err: '',
      out: [
        'older',
        'error: plain words',
        '2026-11-16T09:00:00.000Z info  the daemon listens  url=http://127.0.0.1:8080',
        '2026-11-16T09:00:01.000Z error unexpected failure  err=\n  Error: boom\n      at x',
        '',
      ].join('\n'),
    })
    expect((await cacpd(['logs', '-n', '1', '--json'], { cwd: folder.path })).out).toBe(`${LINES[2]}\n`)
    expect((await cacpd(['logs', '-n', '0'], { cwd: folder.path })).out).toBe('')
  })

  test('goes on with what comes, also when a full log makes room for a new one', async () => {
    await using folder = await folderWith(files)
    await using following = spawnCacpd(['logs', '-f', '-n', '1', '--json'], folder.path)
    const lines = createInterface({ input: following.child.stdout })[Symbol.asyncIterator]()
    const next = async () => (await lines.next()).value
    expect(await next()).toBe(LINES[2])
    await appendFile(folder.at('.cacp/daemon.log'), 'one\ntwo')
    expect(await next()).toBe('one')
    await appendFile(folder.at('.cacp/daemon.log'), ' ends\n')
    await rename(folder.at('.cacp/daemon.log'), folder.at('.cacp/daemon.log.1'))
    await appendFile(folder.at('.cacp/daemon.log'), 'thrée\n')
    expect([await next(), await next()]).toEqual(['two ends', 'thrée'])
    following.child.kill('SIGINT')
    expect(await following.exited).toEqual([0, null])
  })

  test.each([
    {
      words: ['logs'],
      exitCode: 1,
      err: /^error: There is no log at .+daemon\.log.+\nnext: .+`cacpd up -d`/,
    },
    { words: ['logs', '-n', 'all'], exitCode: 2, err: /^error: --lines: must be a whole number/ },
  ])('says what is wrong with $words', async ({ words, exitCode, err }) => {
    await using folder = await folderWith({ '.git/': '' })
    expect(await cacpd(words, { cwd: folder.path })).toEqual({
      exitCode,
      out: '',
      err: expect.stringMatching(err),
    })
  })
})

describe('cacpd status', () => {
  test('says whether the daemon is watched over in the background', async () => {
    await using running = await daemon()
    const cwd = dirname(running.dataDir)
    const background = async () => JSON.parse((await cacpd(['status', '--json'], { cwd })).out).background
    expect(await background()).toBeNull()
    await writeBackground(running.dataDir, STATE)
    expect(await background()).toBeNull()
    const own = { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' }
    await writeBackground(running.dataDir, { ...STATE, ...own })
    expect(await background()).toMatchObject({ pid: process.pid, restarts: 3 })
    expect((await cacpd(['status'], { cwd })).out).toContain(
      `background: yes (process ${process.pid}; started again 3 times)`,
    )
  })

  test('names the daemon around a repository that has none, and is silent where it is meant', async () => {
    await using running = await daemon()
    const around = dirname(running.dataDir)
    await mkdir(`${around}/api/.git`, { recursive: true })
    const { exitCode, err } = await cacpd(['status'], { cwd: `${around}/api` })
    expect(exitCode).toBe(0)
    expect(err).toMatch(
      /^note: this is the daemon of .+\.cacp, in a folder around this repository; .+api has none yet/,
    )
    for (const words of [[], ['--data', running.dataDir]])
      expect(await cacpd(['status', ...words], { cwd: around })).toMatchObject({ exitCode: 0, err: '' })
  })

  test('says why one in the background is not running', async () => {
    await using folder = await folderWith({ '.cacp/IDENT': '' })
    await writeBackground(folder.at('.cacp'), { ...STATE, phase: 'gave up', problem: CRASHED })
    expect((await cacpd(['status'], { cwd: folder.path })).err).toMatch(
      /In the background: The daemon ended with exit code 1\nnext: See `cacpd logs`/,
    )
  })
})

/** A process that is there and takes calls, but answers none. */
async function hanging(): Promise<Folder> {
  const deaf = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(deaf, 'listening')
  const { port } = deaf.address() as AddressInfo
  const folder = await folderWith({ '.git/': '' })
  await using running = await daemon()
  await copyStore(running.dataDir, folder.at('.cacp'))
  const endpoint = await readEndpoint(running.dataDir)
  if (endpoint === undefined) throw new Error('nothing was remembered')
  await rememberEndpoint(folder.at('.cacp'), { ...endpoint, url: `http://127.0.0.1:${port}`, port })
  return {
    ...folder,
    [Symbol.asyncDispose]: async () => {
      deaf.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

describe('a daemon that hangs', () => {
  test.each([['status'], ['up', '-d']])(
    'is not taken for one that runs well by cacpd %s %s',
    async (...words) => {
      await using folder = await hanging()
      const { exitCode, out, err } = await cacpd(words, { cwd: folder.path })
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
      expect(err).toMatch(
        /^error: The daemon runs as process \d+, but does not answer at \S+\nnext: Start it anew: `cacpd down`, then `cacpd up -d`\n$/,
      )
    },
  )
})

describe('cacpd up -d', () => {
  test('says of a daemon that nobody watches over that a crash would end it', async () => {
    await using running = await daemon()
    const cwd = dirname(running.dataDir)
    const { exitCode, out } = await cacpd(['up', '-d'], { cwd })
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      /^cacpd was running already[\s\S]+process +\d+, which nobody starts again after a crash/,
    )
    expect(JSON.parse((await cacpd(['up', '-d', '--json'], { cwd })).out)).toMatchObject({
      event: 'running',
      background: false,
    })
  })
})

describe('cacpd down', () => {
  test('is content where no daemon runs, and takes away what a killed one left', async () => {
    await using folder = await folderWith({ '.git/': '' })
    expect(await cacpd(['down'], { cwd: folder.path })).toMatchObject({ exitCode: 0, err: '' })
    await using killed = await folderWith({ '.git/': '', '.cacp/IDENT': '' })
    await writeBackground(killed.at('.cacp'), STATE)
    expect(await cacpd(['down', '--json'], { cwd: killed.path })).toMatchObject({
      exitCode: 0,
      out: `${JSON.stringify({ data: killed.at('.cacp'), ended: [] })}\n`,
    })
    await expect(stat(killed.at('.cacp/background.json'))).rejects.toThrow('ENOENT')
  })
})

describe('cacpd alone', () => {
  test('starts a daemon for this repository, not for the one around it, and says what to do next', async () => {
    await using folder = await folderWith({
      '.cacp/IDENT': '',
      'api/.git/': '',
      'api/go.mod': '',
      'api/src/': '',
    })
    await using started = spawnCacpd([], folder.at('api/src'))
    const stderr = text(started.child.stderr)
    const lines: string[] = []
    const reader = createInterface({ input: started.child.stdout }).on('line', (line) => lines.push(line))
    await once(reader, 'line')
    started.child.kill('SIGTERM')
    expect(await started.exited).toEqual([0, null])
    const said = lines.join('\n')
    expect(said).toContain('repo      api (guessed)')
    expect(said).toContain(`data      ${folder.at('api/.cacp')}\n`)
    for (const words of ['init', 'mcp', 'invite', 'ui', 'status']) expect(said).toContain(`cacpd.js ${words}`)
    expect(await stderr).toBe(
      `note: ${folder.at('.cacp')} belongs to another daemon, of the folder around this repository; this one is for ${folder.at('api')}\n`,
    )
  })

  test('shows the daemon that runs', async () => {
    await using running = await daemon()
    const { exitCode, out } = await cacpd([], { cwd: dirname(running.dataDir) })
    expect(exitCode).toBe(0)
    expect(out).toContain('status: healthy')
    expect(out).toContain(nextSteps('cacpd'))
  })

  test('shows help in a folder that is no repository, and starts nothing there', async () => {
    await using folder = await folderWith()
    expect(await cacpd([], { cwd: folder.path })).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^Usage: cacpd[\s\S]+is not in a git repository.+\nnext: .*`git init`/m),
    })
    await expect(stat(folder.at('.cacp'))).rejects.toThrow('ENOENT')
  })

  test.each(['README.md', 'docs/setup.md'])('says the same as %s', (page) => {
    expect(pageText(page)).toContain(nextSteps('cacpd'))
  })
})

test('a folder that cannot be written to is named, with what to do', async () => {
  await using folder = await folderWith({ '.git/': '' })
  await chmod(folder.path, 0o555)
  // Root may write everywhere, so somebody else has to try.
  const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  await using tried = spawnCacpd(['up', '-d'], folder.path, user)
  const stderr = await text(tried.child.stderr)
  expect(await tried.exited).toEqual([1, null])
  expect(stderr).toMatch(
    /^error: This user may not read and write the data directory .+\nnext: Start as the user/,
  )
  await chmod(folder.path, 0o755)
})

test('`up -d --repo` says that a running daemon keeps its name, and what a new one changes', async () => {
  await using folder = await folderWith({ '.git/': '' })
  const place = { cwd: folder.path, env: { PATH: process.env['PATH'], CACP_PORT: '0', HOME: '/nowhere' } }
  try {
    expect(await cacpd(['up', '-d', '--repo', 'api'], place)).toMatchObject({ exitCode: 0, err: '' })
    expect((await cacpd(['up', '-d', '--repo', 'web'], place)).err).toMatch(
      /^warning: It is called api and was not renamed, because it runs\nnext: cacpd down, /,
    )
    await cacpd(['down'], place)
    const renamed = await cacpd(['up', '-d', '--repo', 'web'], place)
    expect(renamed.out).toContain('repo      web\n')
    expect(renamed.err).toMatch(
      /^ {2}renamed from api: agent ID, pairings and the repos .* stay as they are\n/,
    )
  } finally {
    await cacpd(['down'], place)
  }
}, 60_000)
