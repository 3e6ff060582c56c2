import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { daemon } from '../../support/daemons/daemon.ts'
import { fakePeer } from '../../support/network/fake-peer.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = {
  repo: 'frontend-app',
  role: 'frontend',
  agentId: 'aid://example.com/frontend@1.0.0',
  open: true,
}
const DEAD = 'http://127.0.0.1:9'

describe('cacpd peers', () => {
  test('adds, shows, compares with and removes a peer', async () => {
    await using backend = await daemon({ open: true })
    await using frontend = await daemon(FRONTEND)
    const cwd = dirname(backend.dataDir)
    expect(await cacpd(['peers'], { cwd })).toEqual({
      exitCode: 0,
      out: 'none; to connect one, run `cacpd invite` here and `cacpd join URL` there\n',
      err: '',
    })
    expect(await cacpd(['peers', 'add', frontend.url], { cwd })).toEqual({
      exitCode: 0,
      out: `agentId: ${FRONTEND.agentId}\nrepoName: frontend-app\ntheirStatus: registered\n`,
      err: '',
    })
    const shown = () => cacpd(['peers'], { cwd })
    await expect.poll(async () => (await shown()).out).toMatch(/approved {2}healthy {2}0 /)
    expect((await shown()).out).toMatch(
      new RegExp(
        `^repo +endpoint +trust +health +behind +last seen +breaker +clock skew +agent ID\nfrontend-app +${frontend.url} +approved +healthy +0 +\\d+ s ago +closed +-?\\d s +${FRONTEND.agentId}\n$`,
      ),
    )
    const asJson = await cacpd(['peers', '--json'], { cwd })
    const { peers } = (await backend.fetch('/peers')).json
    expect(JSON.parse(asJson.out)).toEqual({ peers, onHub: [] })

    for (const words of [[], ['frontend-app'], [FRONTEND.agentId], [frontend.url]])
      expect(await cacpd(['peers', 'sync', ...words], { cwd })).toEqual({
        exitCode: 0,
        out: 'status: started\n',
        err: '',
      })

    expect(await cacpd(['peers', 'remove', 'frontend-app', '--json'], { cwd })).toEqual({
      exitCode: 0,
      out: `{"agentId":"${FRONTEND.agentId}","status":"removed"}\n`,
      err: 'next: It may register again while it still knows this daemon: run `cacpd peers remove` there too. To keep it out, run `cacpd peers revoke` when it is back\n',
    })
    expect((await backend.fetch('/peers')).json.peers).toEqual([])
  })

  test('tells in full why a peer cannot be reached', async () => {
    await using backend = await daemon({ open: true })
    const body = JSON.stringify({
      agentId: FRONTEND.agentId,
      endpoint: DEAD,
      repoName: 'web-app',
    })
    await backend.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const shown = () => cacpd(['peers'], { cwd: dirname(backend.dataDir), width: 60 })
    await expect
      .poll(async () => (await shown()).out)
      .toMatch(/\n\nlast error:\n {2}web-app: http:\/\/127\.0\.0\.1:9 cannot be reached: ECONNREFUSED\n$/)
    expect((await shown()).out).toContain('(more columns: --json)')
  })

  test('lists what a peer would not take, and so does the outbox', async () => {
    await using backend = await daemon({ open: true })
    const refused = { status: 'refused', reason: 'It is larger than what is kept here', retryable: false }
    const takeNoRepo = ({ statements }: { statements: string[] }) => ({
      outcomes: statements.map((one) => (one.includes('"kind":"repo"') ? refused : { status: 'taken' })),
    })
    await using fake = await fakePeer({ results: { 'cacp/sync/statements': takeNoRepo } })
    const cwd = dirname(backend.dataDir)
    expect((await cacpd(['outbox'], { cwd })).out).toBe('everything has arrived\n')
    await cacpd(['peers', 'add', fake.url], { cwd })
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    await expect
      .poll(async () => (await cacpd(['peers'], { cwd })).out)
      .toMatch(
        new RegExp(
          `\n\nnot taken, tried again later:\n  fake-app: repo ${projectId} \\S+ \\(repo: It is larger than what is kept here; since \\d+ s ago\\)\n$`,
        ),
      )
    expect((await cacpd(['outbox'], { cwd })).out).toMatch(
      new RegExp(
        `^fake-app: 1 not arrived; .+\n {2}${fake.agentId}, last seen \\d+ s ago\n {2}repo backend-api, since \\d+ s ago \\(${projectId.slice(0, 13)}/\\S+\\)\n$`,
      ),
    )
  })

  test('lets no peer write lines of its own into it', async () => {
    await using backend = await daemon({ open: true })
    const refused = {
      status: 'refused',
      reason: 'HACKED\nrefused from c:\n  all is\u2028lost',
      retryable: false,
    }
    const takeNothing = ({ statements }: { statements: string[] }) => ({
      outcomes: statements.map(() => refused),
    })
    await using fake = await fakePeer({ results: { 'cacp/sync/statements': takeNothing } })
    const cwd = dirname(backend.dataDir)
    await cacpd(['peers', 'add', fake.url], { cwd })
    await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    const shown = async () => (await cacpd(['peers'], { cwd })).out
    await expect.poll(shown).toContain('HACKED refused from c: all is lost')
    expect(await shown()).not.toMatch(/^refused/m)
  })

  test('says what to do where this daemon is not let in', async () => {
    await using backend = await daemon()
    await using frontend = await daemon({ ...FRONTEND, open: false })
    const { exitCode, out, err } = await cacpd(['peers', 'add', frontend.url, '--json'], {
      cwd: dirname(backend.dataDir),
    })
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ theirStatus: 'pending' })
    expect(err).toBe(
      'next: It lets nobody in without a key: run `cacpd invite` here, and `cacpd join URL` there\n',
    )
    expect((await frontend.fetch('/peers')).json.peers).toMatchObject([
      { endpoint: backend.url, trust: 'pending', health: 'pending' },
    ])
    await expect
      .poll(async () => (await cacpd(['peers'], { cwd: dirname(backend.dataDir) })).out)
      .toMatch(
        / answered 401.*\n {2}401 and 403 are not to be let in: have `cacpd invite` run there, and `cacpd join URL` here\n$/,
      )
  })

  test.each([
    [['add', DEAD], `error: ${DEAD} cannot be reached: ECONNREFUSED\n`],
    [['remove', 'aid://example.com/nobody@1.0.0'], 'error: No peer aid://example.com/nobody@1.0.0 here\n'],
    [['sync', 'aid://example.com/nobody@1.0.0'], 'error: No peer aid://example.com/nobody@1.0.0 here\n'],
    [['revoke', 'aid://example.com/nobody@1.0.0'], 'error: No peer aid://example.com/nobody@1.0.0 here\n'],
    [['approve', 'aid://example.com/nobody@1.0.0'], 'error: No peer aid://example.com/nobody@1.0.0 here\n'],
    [['renew', 'aid://example.com/nobody@1.0.0'], 'error: No peer aid://example.com/nobody@1.0.0 here\n'],
    [['remove', 'nobody'], 'error: No peer nobody here\nnext: List the peers with cacpd peers\n'],
    [['add', DEAD], 'next: See there with `cacpd status` whether that daemon runs, and at which URL\n'],
  ])('%j is refused with exit code 1', async (words, message) => {
    await using backend = await daemon()
    const { exitCode, out, err } = await cacpd(['peers', ...words], { cwd: dirname(backend.dataDir) })
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(err).toContain(message)
  })

  test('a URL that is none ends with exit code 2, before any call', async () => {
    await using backend = await daemon()
    const words = ['peers', 'add', 'ftp://example.com']
    const { exitCode, err } = await cacpd(words, { cwd: dirname(backend.dataDir) })
    expect(exitCode).toBe(2)
    expect(err).toContain('error: --url: must be an http(s) URL ')
  })

  test.each([
    [
      ['peers', 'add'],
      'error: URL is missing: where it listens, as `cacpd status` says there (or --url)\nnext: See cacpd peers add --help\n',
    ],
    [
      ['peers', 'remove'],
      'error: PEER is missing: its agent ID, repository or URL, as `cacpd peers` shows it (or --agent-id)\nnext: See cacpd peers remove --help\n',
    ],
    [['peers', '--verbose'], "error: unknown option '--verbose'\nnext: See cacpd peers --help\n"],
  ])('%j is wrong usage', async (words, err) => {
    expect(await cacpd(words)).toEqual({ exitCode: 2, out: '', err })
  })

  test.each([
    ['peers'],
    ['peers add'],
    ['peers approve'],
    ['peers revoke'],
    ['peers renew'],
    ['peers remove'],
    ['peers sync'],
    ['invite'],
    ['join'],
  ])('help for %s has an example', async (words) => {
    const { exitCode, out } = await cacpd([...words.split(' '), '--help'])
    expect(exitCode).toBe(0)
    expect(out).toMatch(new RegExp(`Examples?:\n(?:.*\n)*  cacpd ${words}`))
  })
})
