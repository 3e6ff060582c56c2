import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { kebab } from '../../../src/cli/derive/kebab.ts'
import { NAMED_OPTIONS } from '../../../src/cli/derive/named-options.ts'
import { METHODS } from '../../../src/methods/table.ts'
import { namedFieldsOf } from '../../../src/protocol/named.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'
import { has, Place, SHELLS } from '../shells.ts'

const HOSTILE = '$(touch hacked) `id` "x'

async function scriptFor(shell: string): Promise<string> {
  const { exitCode, out } = await cacpd(['completion', shell])
  expect(exitCode).toBe(0)
  return out
}

describe.each(SHELLS.map((shell) => [shell.name, shell] as const))('in a real %s', (name, shell) => {
  // A shell that is not on this machine cannot be asked.
  const inShell = test.skipIf(!has(name))
  let script: string
  let place: Place
  beforeAll(async () => {
    script = await scriptFor(name)
    place = new Place(mkdtempSync(join(tmpdir(), 'cacpd-shell-')))
  })
  afterAll(() => rmSync(place.folder, { recursive: true }))
  beforeEach(() => place.answer(''))

  inShell.each([
    ['cacpd contr', ['contract']],
    ['cacpd contract pro', ['propose']],
    ['cacpd contract propose --proj', ['--project-id']],
    ['cacpd peers rev', ['revoke']],
    ['cacpd hook c', ['claude', 'codex', 'cursor']],
    ['cacpd completion f', ['fish']],
    ['cacpd peers --data peers rev', ['revoke']],
    ['cacpd contract respond Login --action re', ['reject', 'request_change']],
    ['cacpd contract wait Login --status ag', ['agreed']],
  ])('commands, methods below them and their options are completed: %s', (line, expected) => {
    expect(shell.offered(script, line, place).sort()).toEqual(expected)
  })

  inShell.each([
    ['cacpd use ', 'project'],
    ['cacpd contract get --project-id ', 'project'],
    ['cacpd contract get --contract-id ', 'contract'],
    ['cacpd contract wait ', 'contract'],
    ['cacpd contract accept ', 'contract'],
    ['cacpd contract history ', 'contract'],
    ['cacpd inbox take ', 'item'],
    ['cacpd answer ', 'question'],
    ['cacpd contract get ', 'contract'],
    ['cacpd implementation start ', 'contract'],
    ['cacpd context get-thread ', 'question'],
    ['cacpd project get ', 'project'],
    ['cacpd -C ../web contract get ', 'contract'],
    ['cacpd say --to ', 'repo'],
    ['cacpd context share --to ', 'repo'],
    ['cacpd outbox list --to ', 'peer'],
    ['cacpd peers revoke ', 'peer'],
  ])('what can be named is asked for and offered: %s', (line, kind) => {
    place.answer('Get User Profile\nLogin\n')
    expect(shell.offered(script, line, place).sort()).toEqual(
      shell.name === 'bash' ? ['Get\\ User\\ Profile', 'Login'] : ['Get User Profile', 'Login'],
    )
    expect(place.asked).toEqual(['complete', kind, '--', ...line.trimEnd().split(' ')])
  })

  inShell('a project that has to be quoted is asked about by its name', () => {
    shell.offered(script, 'cacpd contract get --project-id User\\ Auth --contract-id ', place)
    expect(place.asked.slice(-4)).toEqual(['get', '--project-id', 'User Auth', '--contract-id'])
  })

  inShell('names come into the line quoted, and nothing of what others wrote is run', () => {
    place.answer(`${HOSTILE}\n`)
    const word = shell.inserted(script, 'cacpd contract get --contract-id ', place)
    expect(place.run(name, ['-c', `printf %s ${word}`])).toBe(HOSTILE)
    expect(existsSync(join(place.folder, 'hacked'))).toBe(false)
  })

  inShell('where a path is to be named, paths are offered', () => {
    mkdirSync(join(place.folder, 'elsewhere'), { recursive: true })
    const word = shell.inserted(script, 'cacpd peers --data elsew', place)
    // By itself bash goes on with paths where nothing else fits.
    if (shell.name !== 'bash') expect(word.replace(/\/$/, '')).toBe('elsewhere')
    else expect(word).toBe('')
  })
})

test.each(['bash', 'zsh', 'fish'])('the script for %s knows every command that help shows', async (shell) => {
  const help = await cacpd(['--help'])
  const script = await scriptFor(shell)
  const shown = [...help.out.matchAll(/^ {2}([a-z]+(?:, [a-z]+)*) {2}/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  expect(shown.length).toBeGreaterThan(30)
  for (const name of shown) expect(script).toContain(`cacpd ${name}'`)
})

test('a shell that is not known is wrong usage', async () => {
  const { exitCode, err } = await cacpd(['completion', 'tcsh'])
  expect(exitCode).toBe(2)
  expect(err).toContain('bash, zsh or fish')
})

test('every param that names something has an option that values are offered for', () => {
  const offered = new Set(Object.values(NAMED_OPTIONS).flat())
  const named = METHODS.filter(({ access }) => access !== 'sync').flatMap(({ params }) => {
    const { project, words } = namedFieldsOf(params)
    return [project?.key ?? [], words.map(({ key }) => key)].flat()
  })
  // Beside methods this option is whom the caller acts as; `cacpd peers` takes peers without it.
  const options = named.filter((key) => key !== 'agentId').map((key) => `--${kebab(key)}`)
  expect(options.filter((option) => !offered.has(option))).toEqual([])
})

test.each([
  ["cacpd contract get 'Get", "Get Bob'\\''s"],
  ['cacpd contract get "Get', "Get Bob's"],
  ['cacpd contract get Get', "Get\\ Bob\\'s"],
])('bash goes on within the quotes that were begun: %s', async (line, whole) => {
  const place = new Place(mkdtempSync(join(tmpdir(), 'cacpd-shell-')))
  place.answer("Get Bob's\nLogin\n")
  const [bash] = SHELLS
  expect(bash?.offered(await scriptFor('bash'), line, place)).toEqual([whole])
  rmSync(place.folder, { recursive: true })
})

describe('with a daemon', () => {
  let running: TestDaemon
  let cwd: string
  beforeAll(async () => {
    running = await daemon()
    cwd = dirname(running.dataDir)
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
    await running.rpc('cacp/project/create', { name: 'User login', objective: 'o', repos })
    const { projectId } = await running.rpc('cacp/project/create', { name: 'Other', objective: 'o' })
    await running.rpc('cacp/contract/propose', { projectId, type: 'custom', name: HOSTILE, content: {} })
    const frontend = { 'X-Agent-ID': 'aid://example.com/frontend@1.0.0' }
    await running.rpc('cacp/project/join', { projectId: 'User login', repoName: 'frontend-app' }, frontend)
    await running.rpc('cacp/context/askQuestion', { projectId: 'User login', question: 'JWT?' }, frontend)
  })
  afterAll(() => running[Symbol.asyncDispose]())

  const offered = async (...words: string[]) => (await cacpd(['complete', ...words], { cwd })).out

  test('values are offered: what things go by, in the project that the command line names', async () => {
    expect(await offered('project', '--', 'cacpd', 'use')).toBe('User login\nOther\n')
    expect(await offered('contract', '--', 'cacpd', 'contract', 'get', '--project-id', 'Other')).toBe(
      `${HOSTILE}\n`,
    )
    expect(await offered('repo', '--', 'cacpd', 'repo', 'release', '--project-id', 'User login')).toBe(
      'backend-api\nfrontend-app\n',
    )
    expect(await offered('contract', '--', 'cacpd', 'contract', 'get', '--project-id=Other')).toBe(
      `${HOSTILE}\n`,
    )
    // Which project, nobody said.
    expect(await offered('contract', '--', 'cacpd', 'contract', 'get')).toBe('')
  })

  test('items are offered by what they are about, and questions alone where those are answered', async () => {
    expect((await offered('item', '--', 'cacpd', 'inbox', 'ack')).split('\n').sort()).toEqual([
      '',
      HOSTILE,
      'JWT?',
    ])
    expect(await offered('question', '--', 'cacpd', 'answer')).toBe('JWT?\n')
  })

  test('packets are offered by what they ask, where they are questions', async () => {
    const said = { projectId: 'User login', type: 'dependency_info', content: {} }
    const { packetId } = await running.rpc('cacp/context/share', said)
    const words = ['cacpd', 'say', '--project', 'User login', '--reply-to']
    expect(await offered('packet', '--', ...words)).toBe(`JWT?\n${packetId}\n`)
  })

  test('nothing is said where no daemon runs, nor of what is no kind of thing', async () => {
    const nowhere = await cacpd(['complete', 'project', '--', 'cacpd'], { cwd: tmpdir() })
    expect(nowhere).toMatchObject({ exitCode: 0, out: '', err: '' })
    expect(await offered('constructor', '--', 'cacpd')).toBe('')
  })
})
