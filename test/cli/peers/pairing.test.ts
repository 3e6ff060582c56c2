import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../../src/config/config.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { newcomer } from '../../support/daemons/newcomer.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND: Partial<Config> = {
  repo: 'frontend-app',
  role: 'frontend',
  agentId: 'aid://example.com/frontend@1.0.0',
}
const placeOf = ({ dataDir }: TestDaemon) => ({ cwd: dirname(dataDir) })

describe('cacpd invite', () => {
  test('prints the URL alone on stdout, and what to do with it beside', async () => {
    await using backend = await daemon()
    const { exitCode, out, err } = await cacpd(['invite'], placeOf(backend))
    expect(exitCode).toBe(0)
    expect(out.split('\n')).toEqual([expect.stringMatching(/^http:\S+$/), ''])
    expect(err).toContain('cacpd join')
    expect(err).not.toContain(out.trim())
  })

  test('can say for which project and repo, for how long, and in JSON; the list names that project', async () => {
    await using backend = await daemon()
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'User Auth', objective: 'o' })
    const short = projectId.slice(0, 13)
    const words = ['invite', '--project', short, '--repo', 'web', '--expires', '30m', '--json']
    const made = JSON.parse((await cacpd(words, placeOf(backend))).out)
    expect(made).toMatchObject({
      projectId,
      projectName: 'User Auth',
      repoName: 'web',
      isUsed: false,
      replaces: null,
    })
    const seconds = (Date.parse(made.expiresAt) - Date.parse(made.createdAt)) / 1000
    expect(seconds).toBe(1800)
    const listed = JSON.parse((await cacpd(['invite', 'list', '--json'], placeOf(backend))).out)
    const { url, ...known } = made
    expect(listed).toEqual({ invites: [known] })
    const { out } = await cacpd(['invite', 'list'], placeOf(backend))
    expect(out).toContain(' User Auth ')
    expect(out).not.toContain(short)
    expect(JSON.stringify(listed)).not.toContain(new URL(url).hash.slice(1, 44))
    const withdrawn = await cacpd(['invite', 'withdraw', '--invite-id', made.inviteId], placeOf(backend))
    expect(withdrawn).toMatchObject({ exitCode: 0, out: expect.stringContaining('withdrawn') })
  })

  test('can wait until it was used, and then shows the words', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    let said = ''
    let url = ''
    const waiting = cacpd(['invite', '--wait'], {
      ...placeOf(backend),
      print: (text) => {
        url += String(text)
      },
      complain: (text) => {
        said += text
      },
    })
    await expect.poll(() => url).not.toBe('')
    const joined = await cacpd(['join', url.trim()], placeOf(frontend))
    const words = /same words: (.+)/.exec(joined.out)?.[1]
    expect((await waiting).exitCode).toBe(0)
    expect(said).toContain(`Paired with frontend-app: ${words}\n`)
  })

  test('also says that it was used when one comes back whose words were known before', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    await frontend.rpc('cacp/peer/join', { url })
    const revoked = await cacpd(['peers', 'revoke', 'frontend-app'], placeOf(backend))
    expect(revoked.err).toContain('next: To let it in again, run `cacpd invite` here')
    let printed = ''
    const waiting = cacpd(['invite', '--wait'], {
      ...placeOf(backend),
      print: (text) => {
        printed += String(text)
      },
    })
    await expect.poll(() => printed).not.toBe('')
    await frontend.rpc('cacp/peer/join', { url: printed.trim() })
    expect((await waiting).err).toContain(
      'Used, by one that was paired before: `cacpd peers` shows the words',
    )
  })

  test('names the agent to replace by its repository, too', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    await frontend.rpc('cacp/peer/join', { url })
    const made = await cacpd(['invite', '--replace', 'frontend-app', '--json'], placeOf(backend))
    expect(JSON.parse(made.out)).toMatchObject({ replaces: FRONTEND.agentId, repoName: 'frontend-app' })
  })

  test.each(['0h', '1w', 'soon', '31d', '', '-1h', '1.5h'])('%j is no time to expire', async (expires) => {
    const { exitCode, err } = await cacpd(['invite', `--expires=${expires}`])
    expect(exitCode).toBe(2)
    expect(err).toContain('--expires')
  })
})

describe('cacpd join', () => {
  test.each(['argument', 'stdin', 'environment'])('takes the URL from its %s', async (source) => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    const word = { argument: [url], stdin: ['-'], environment: [] }[source] ?? []
    const { exitCode, out } = await cacpd(['join', ...word, '--json'], {
      ...placeOf(frontend),
      input: `${url}\n`,
      env: source === 'environment' ? { CACP_INVITE: url } : {},
    })
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ repoName: 'backend-api', projectId: null, projectName: null })
  })

  test('without a URL is wrong usage', async () => {
    for (const words of [['join'], ['join', '-'], ['join', '']])
      expect(await cacpd(words)).toMatchObject({ exitCode: 2, err: expect.stringContaining('url: give') })
  })

  test.each([
    ['http://127.0.0.1:9/pair', 'url: must be a URL that `cacpd invite` printed'],
    [`http://10.1.2.3/pair#${'s'.repeat(43)}.${'k'.repeat(43)}`, 'plain http'],
  ])('of %s is refused, and does not repeat the secret', async (url, message) => {
    await using frontend = await daemon(FRONTEND)
    const { exitCode, out, err } = await cacpd(['join', url], placeOf(frontend))
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(message)
    expect(err).not.toContain('s'.repeat(43))
  })

  test('tells in the words of the other daemon why it was refused', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    await (await newcomer('mobile')).pair(url)
    const { exitCode, err } = await cacpd(['join', url], placeOf(frontend))
    expect(exitCode).toBe(1)
    expect(err).toContain('This invite is not valid: it is unknown, expired, or was used')
    expect(err).toContain('next: It says: Ask whoever sent it for a new one: `cacpd invite`')
    const asJson = await cacpd(['join', url, '--json'], placeOf(frontend))
    expect(JSON.parse(asJson.out).error.data).toMatchObject({ status: 403, retryable: false })
  })
})

describe('cacpd join, with an invite to no project', () => {
  test('lists the projects that name this repository, each with the command that joins it', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const named = {
      name: 'User Auth',
      objective: 'o',
      repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
    }
    const { projectId } = await backend.rpc('cacp/project/create', named)
    await backend.rpc('cacp/project/create', { name: 'Of others', objective: 'o' })
    const url = (await cacpd(['invite'], placeOf(backend))).out.trim()
    const { exitCode, err } = await cacpd(['join', url], placeOf(frontend))
    expect(exitCode).toBe(0)
    const [title, line = '', ...rest] = err.trimEnd().split('\n')
    expect(title).toBe('These projects name this repository; to join one:')
    expect(rest).toEqual([])
    expect(line).toBe("  User Auth: cacpd project join --project-id 'User Auth'")
    expect(await cacpd(['project', 'join', '--project-id', 'User Auth'], placeOf(frontend))).toMatchObject({
      exitCode: 0,
    })
    const { repos } = await frontend.rpc('cacp/project/get', { projectId })
    expect(repos).toContainEqual(
      expect.objectContaining({ name: 'frontend-app', agent_id: FRONTEND.agentId }),
    )
  })

  test.each([
    ['--data', ({ dataDir }: TestDaemon) => [[], ['--data', dataDir]]],
    ['-C', ({ dataDir }: TestDaemon) => [['-C', dirname(dataDir)], []]],
  ] as const)('suggests lines that ask the same daemon, where that is named by %s', async (_, named) => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const at = async (asked: TestDaemon, ...words: string[]) => {
      const [before = [], after = []] = named(asked)
      return cacpd([...before, ...words, ...after])
    }
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
    await backend.rpc('cacp/project/create', { name: 'Auth', objective: 'o', repos })
    const invited = await at(backend, 'invite')
    const joined = await at(frontend, 'join', invited.out.trim())
    const shows = /`cacpd (.* )?peers( .*)?`/.exec(invited.err)?.[0].slice(1, -1) ?? ''
    const joins = joined.err.split(': ').at(-1)?.trim() ?? ''
    for (const line of [shows, joins])
      expect(await cacpd(line.split(' ').slice(1))).toMatchObject({ exitCode: 0 })
  })

  test('says where they will be told of, when there are none', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const url = (await cacpd(['invite'], placeOf(backend))).out.trim()
    const { err } = await cacpd(['join', url], placeOf(frontend))
    expect(err).toBe('Projects that name this repository come into `cacpd inbox`\n')
  })
})
