import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { kebab } from '../../../src/cli/derive/kebab.ts'
import { NAMED_OPTIONS } from '../../../src/cli/program/complete.ts'
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

  inShell('cacpd is asked for what can follow the words so far, and that is offered', () => {
    place.answer('Get User Profile\nLogin\tby backend-api\n')
    expect(shell.offered(script, 'cacpd -C ../web contract get ', place).sort()).toEqual(
      shell.name === 'bash' ? ['Get\\ User\\ Profile', 'Login'] : ['Get User Profile', 'Login'],
    )
    expect(place.asked).toEqual(['complete', '--', 'cacpd', '-C', '../web', 'contract', 'get', ''])
  })

  inShell('only what begins as the word at the cursor does is offered', () => {
    place.answer('propose\tPropose a contract\nrespond\tAnswer one\n')
    expect(shell.offered(script, 'cacpd contract pro', place)).toEqual(['propose'])
    expect(place.asked).toEqual(['complete', '--', 'cacpd', 'contract', 'pro'])
  })

  inShell('a project that has to be quoted is asked about by its name', () => {
    shell.offered(script, 'cacpd contract get --project-id User\\ Auth --contract-id ', place)
    expect(place.asked.slice(-5)).toEqual(['get', '--project-id', 'User Auth', '--contract-id', ''])
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

/** The words that `cacpd complete` prints for a line up to the cursor. */
async function wordsFor(line: string, place: { cwd?: string } = {}): Promise<string[]> {
  const { exitCode, out, err } = await cacpd(['complete', '--', ...line.split(' ')], place)
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  return out.split('\n').flatMap((offer) => offer.split('\t')[0] || [])
}

test.each([
  ['cacpd ', ['contract', 'peers', 'completion']],
  ['cacpd contract ', ['propose', 'wait', 'review']],
  ['cacpd contract propose --proj', ['--project-id', '--type', '--json']],
  ['cacpd peers ', ['revoke', 'sync']],
  ['cacpd hook ', ['claude', 'codex', 'cursor']],
  ['cacpd peers --data peers rev', []],
  ['cacpd -C ../web contract ', ['propose']],
])('commands, methods below them and their options are offered: %s', async (line, expected) => {
  expect(await wordsFor(line)).toEqual(expect.arrayContaining(expected))
})

test.each([
  ['cacpd contract respond Login --action ', ['agree', 'request_change', 'reject']],
  ['cacpd contract wait Login --status ', ['proposed', 'negotiating', 'agreed', 'implemented', 'verified']],
  ['cacpd peers --data ', []],
])('behind an option stands what it takes, and nothing else: %s', async (line, expected) => {
  expect(await wordsFor(line)).toEqual(expected)
})

test('every command that help shows is offered, with what it does', async () => {
  const help = await cacpd(['--help'])
  const shown = [...help.out.matchAll(/^ {2}([a-z]+(?:, [a-z]+)*) {2}/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  expect(shown.length).toBeGreaterThan(30)
  expect(await wordsFor('cacpd ')).toEqual(expect.arrayContaining(shown))
  expect((await cacpd(['complete', '--', 'cacpd', 'contract', ''])).out).toContain(
    'propose\tPropose a new interface contract.\n',
  )
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

  const offered = async (line: string) => (await wordsFor(line, { cwd })).sort()

  test.each([
    ['cacpd use ', ['Other', 'User login']],
    ['cacpd contract get --project-id ', ['Other', 'User login']],
    ['cacpd project get ', ['Other', 'User login']],
    ['cacpd contract get --project-id Other ', [HOSTILE]],
    ['cacpd contract get --project-id=Other --contract-id ', [HOSTILE]],
    ['cacpd contract wait --project-id Other ', [HOSTILE]],
    ['cacpd contract accept --project-id Other ', [HOSTILE]],
    ['cacpd contract history --project-id Other ', [HOSTILE]],
    ['cacpd implementation start --project-id Other ', [HOSTILE]],
    ['cacpd inbox ack ', [HOSTILE, 'JWT?']],
    ['cacpd inbox take ', [HOSTILE, 'JWT?']],
    ['cacpd answer ', ['JWT?']],
    ['cacpd context get-thread ', ['JWT?']],
    ['cacpd context share --project-id Other --to ', ['backend-api']],
    ['cacpd repo release --project-id Other --repo-name ', ['backend-api']],
    // Nobody is paired.
    ['cacpd outbox list --to ', []],
  ])('things are offered by what they go by, in the project that is named: %s', async (line, expected) => {
    expect(await offered(line)).toEqual([...expected].sort())
  })

  test('options are offered where a dash is typed, and where nothing has a name', async () => {
    expect(await offered('cacpd contract get --project-id Other -')).toContain('--contract-id')
    // Which project, nobody said.
    expect(await offered('cacpd contract get ')).toContain('--contract-id')
  })

  test('packets are offered by what they ask, where they are questions', async () => {
    const said = { projectId: 'Other', type: 'dependency_info', content: {} }
    const { packetId } = await running.rpc('cacp/context/share', said)
    expect(await offered('cacpd say --project Other --reply-to ')).toEqual([packetId])
  })

  test('no name is offered where no daemon runs', async () => {
    expect(await wordsFor('cacpd say --to ', { cwd: tmpdir() })).toEqual([])
    expect(await wordsFor('cacpd use ', { cwd: tmpdir() })).toContain('--clear')
  })
})
