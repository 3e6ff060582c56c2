import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/io/system/clock.ts'
import { addMicros } from '../../../src/protocol/stamp.ts'
import { daemon } from '../../support/daemons/daemon.ts'
import { type Dashboard, dashboard } from '../../support/daemons/dashboard.ts'
import { cacpd } from '../captured-terminal.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CODE = /#c=([\w-]{43})$/

/** What the browser of a person does with an address that it is given. */
const browserOf =
  (at: Dashboard, headers: Record<string, string> = { 'user-agent': FIREFOX }) =>
  async (url: string): Promise<boolean> => {
    expect((await at.exchange(CODE.exec(url)?.[1] ?? '', headers)).status).toBe(200)
    return true
  }

/** The same where the address is only printed. */
const readerOf = (at: Dashboard) => {
  const opened: Promise<boolean>[] = []
  let out = ''
  return {
    print: (text: string | Uint8Array) => {
      out += text
      const url = /http\S+#c=[\w-]{43}/.exec(String(text))?.[0]
      if (url !== undefined) opened.push(browserOf(at)(url))
    },
    out: () => out,
  }
}

test('opens the dashboard, waits until a browser has come in, and says which', async () => {
  await using at = await dashboard()
  const { exitCode, out, err } = await cacpd(['ui', '--data', at.dataDir], { openPage: browserOf(at) })
  const { sessions } = await at.rpc('cacp/ui/sessions')
  expect(exitCode).toBe(0)
  expect(out).toMatch(new RegExp(`^${at.url}/ui/#c=[\\w-]{43}\n$`))
  expect(err).toContain('Opened the dashboard of backend-api in your browser.')
  expect(err).toMatch(/The page shows these words, or it is not of this daemon: (?:\w+ ){5}\w+\n/)
  expect(err).toContain(
    `Let in: Firefox on Linux. If that was not you: cacpd ui revoke ${sessions[0].sessionId} --data ${at.dataDir}`,
  )
})

test('where no browser can be started, the address is there to be opened', async () => {
  await using at = await dashboard()
  const { print, out } = readerOf(at)
  const { exitCode, err } = await cacpd(['ui', '--data', at.dataDir], { print, openPage: async () => false })
  expect(exitCode).toBe(0)
  expect(out()).toMatch(/#c=/)
  expect(err).toContain('Open this address within a minute; it works once.')
})

test('--no-open starts no browser', async () => {
  await using at = await dashboard()
  const { print } = readerOf(at)
  const openPage = () => Promise.reject(new Error('a browser was started'))
  const { exitCode, err } = await cacpd(['ui', '--no-open', '--data', at.dataDir], { print, openPage })
  expect(exitCode).toBe(0)
  expect(err).toContain('Let in: Firefox on Linux.')
})

test('says that nobody came, with an exit code of its own', async () => {
  let ahead = 0
  const clock = { ...systemClock, now: () => addMicros(systemClock.now(), ahead) }
  await using at = await dashboard({}, { clock })
  const openPage = async () => {
    ahead = 61_000_000
    return true
  }
  const { exitCode, err } = await cacpd(['ui', '--data', at.dataDir], { openPage })
  expect(exitCode).toBe(3)
  expect(err).toContain('Nobody used the address, which has ended by now.')
})

test('with --json it tells in two lines what can be opened, and what became of it', async () => {
  await using at = await dashboard()
  const { print, out } = readerOf(at)
  const { exitCode, err } = await cacpd(['ui', '--json', '--data', at.dataDir], { print })
  const [login, state] = out()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(exitCode).toBe(0)
  expect(err).toBe('')
  expect(login).toMatchObject({ repo: 'backend-api', url: expect.stringMatching(CODE) })
  expect(state).toMatchObject({
    repo: 'backend-api',
    status: 'used',
    userAgent: FIREFOX,
    address: '127.0.0.1',
  })
})

describe('over ssh', () => {
  const env = { SSH_CONNECTION: '192.0.2.7 50123 192.0.2.1 2222' }

  test('prints how to forward the port, and makes the code when the tunnel is there', async () => {
    await using at = await dashboard()
    const { print, out } = readerOf(at)
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      expect(out()).toBe('')
      return ''
    }
    const openPage = () => Promise.reject(new Error('a browser was started'))
    const { exitCode, err } = await cacpd(['ui', '--data', at.dataDir], { env, print, ask, openPage })
    const { port } = new URL(at.url)
    expect(exitCode).toBe(0)
    expect(err).toMatch(
      new RegExp(`^  ssh -N -L ${port}:127.0.0.1:${port} -p 2222 \\S+@192\\.0\\.2\\.1$`, 'm'),
    )
    expect(asked).toEqual(['Press Enter when it runs. '])
  })

  test('an editor that opens browsers at the other end is used', async () => {
    await using at = await dashboard()
    const withEditor = { env: { ...env, BROWSER: '/usr/lib/editor/open' }, openPage: browserOf(at) }
    const { exitCode, err } = await cacpd(['ui', '--data', at.dataDir], withEditor)
    expect(exitCode).toBe(0)
    expect(err).not.toContain('ssh -N')
  })
})

describe('where there is no dashboard, it says why and what to do', () => {
  test('the daemon does not run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cacpd-test-'))
    const { exitCode, out, err } = await cacpd(['ui', '--data', folder])
    expect(exitCode).toBe(1)
    expect(out).toBe('')
    expect(err).toMatch(/^error: No daemon was ever started with .*\nnext: Run `cacpd up -d/)
  })

  test('it is switched off', async () => {
    await using at = await daemon({ ui: false })
    const { exitCode, err } = await cacpd(['ui', '--data', at.dataDir])
    expect(exitCode).toBe(1)
    expect(err).toMatch(
      /^error: The daemon of backend-api shows no dashboard: ui is false.*\nnext: .*cacpd up -d/,
    )
  })

  test('it was not built', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'cacpd-test-'))
    await using at = await daemon({}, { pageFolder: empty })
    const { exitCode, err } = await cacpd(['ui', '--data', at.dataDir])
    expect(exitCode).toBe(1)
    expect(err).toBe(
      'error: The dashboard is missing in this build of cacpd\nnext: Run `npm run build` in the checkout, and start the daemon again\n',
    )
    const page = await at.fetch('/ui/')
    expect(page.status).toBe(503)
    expect(page.json.error).toMatchObject({ next: expect.stringContaining('npm run build') })
  })
})

describe('--all', () => {
  test('opens the dashboard of every daemon at this machine, each with a session of its own', async () => {
    const state = await mkdtemp(join(tmpdir(), 'cacpd-state-'))
    const stateDir = join(state, 'cacpd')
    await using backend = await dashboard({ stateDir })
    const agentId = 'aid://example.com/frontend@1.0.0'
    await using frontend = await dashboard({ stateDir, repo: 'frontend-app', agentId })
    await using off = await daemon({ stateDir, ui: false, repo: 'off' })
    const openPage = (url: string) => browserOf(url.startsWith(backend.url) ? backend : frontend)(url)
    const env = { XDG_STATE_HOME: state }
    const { exitCode, err } = await cacpd(['ui', '--all'], { env, openPage })
    for (const at of [backend, frontend]) expect((await at.rpc('cacp/ui/sessions')).sessions).toHaveLength(1)
    expect(err).toContain('error: The daemon of off shows no dashboard')
    expect(off.url).not.toBe(backend.url)
    expect(exitCode).toBe(1)
  })

  test('says that none runs', async () => {
    const env = { XDG_STATE_HOME: await mkdtemp(join(tmpdir(), 'cacpd-state-')) }
    const { exitCode, err } = await cacpd(['ui', '--all'], { env })
    expect(exitCode).toBe(1)
    expect(err).toContain(
      'error: No daemon of yours runs at this machine\nnext: Run `cacpd up -d` in a repository',
    )
  })
})

describe('sessions', () => {
  test('are listed with their browsers, and one of them is ended', async () => {
    await using at = await dashboard()
    await cacpd(['ui', '--data', at.dataDir], { openPage: browserOf(at) })
    const page = await at.open()
    const listed = await cacpd(['ui', 'sessions', '--data', at.dataDir])
    expect(listed.out).toContain('Firefox on Linux')
    const { sessionId } = (await at.fetch('/ui/session', { headers: page.getting })).json
    const { out } = await cacpd(['ui', 'revoke', sessionId, '--data', at.dataDir])
    expect(out).toContain(`(session ${sessionId})`)
    await expect(page.rpc('cacp/inbox/list')).rejects.toMatchObject({ data: { kind: 'unauthorized' } })
    expect((await at.rpc('cacp/ui/sessions')).sessions).toHaveLength(1)
  })

  test('are all ended with --all', async () => {
    await using at = await dashboard()
    const [one, other] = [await at.open(), await at.open()]
    expect(
      (await cacpd(['ui', 'revoke', '--all', '--data', at.dataDir])).out.match(/^Logged out/gm),
    ).toHaveLength(2)
    for (const page of [one, other]) await expect(page.rpc('cacp/inbox/list')).rejects.toThrow('has ended')
    expect((await cacpd(['ui', 'sessions', '--data', at.dataDir])).out).toBe('none\n')
    expect((await cacpd(['ui', 'revoke', '--all', '--data', at.dataDir])).out).toBe('There was no session.\n')
  })

  test('one that is not there cannot be ended, and neither one nor all is a mistake', async () => {
    await using at = await dashboard()
    const unknown = await cacpd(['ui', 'revoke', '00000000', '--data', at.dataDir])
    expect(unknown).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('there is no session 00000000'),
    })
    for (const words of [[], ['00000000', '--all']])
      expect(await cacpd(['ui', 'revoke', ...words, '--data', at.dataDir])).toMatchObject({ exitCode: 2 })
  })
})
