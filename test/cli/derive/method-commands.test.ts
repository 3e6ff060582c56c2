import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import type { ZodType } from 'zod'
import { commandOf, kebab } from '../../../src/cli/derive/kebab.ts'
import { addMethodCommands } from '../../../src/cli/derive/method-commands.ts'
import { METHOD_GROUPS } from '../../../src/cli/derive/method-groups.ts'
import { methodWords } from '../../../src/cli/derive/method-words.ts'
import { paramOptions, readParams, wordsFor } from '../../../src/cli/derive/param-options.ts'
import type { Terminal } from '../../../src/cli/output/terminal.ts'
import { describedMethods } from '../../../src/describe/openrpc.ts'
import type { AnyMethod } from '../../../src/methods/row.ts'
import { METHODS } from '../../../src/methods/table.ts'
import { namedFieldsOf } from '../../../src/protocol/named.ts'
import { cacpd } from '../captured-terminal.ts'

const TERMINAL: Terminal = {
  cwd: '/',
  env: {},
  self: 'cacpd',
  colour: false,
  width: 80,
  print: () => {},
  complain: () => {},
  readInput: async () => '',
}

/** What the options of a method make of these words. */
async function parse(row: AnyMethod, words: readonly string[]) {
  const options = paramOptions(row)
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  for (const { option } of options) command.addOption(option)
  await command.parseAsync(words, { from: 'user' })
  return readParams(options, command.opts(), TERMINAL)
}

const ROWS: readonly AnyMethod[] = describedMethods({ version: '1.0.0' }).methods
const named = ROWS.map((row) => ({ name: row.name, row }))
/** Methods whose form has examples of its own. */
const OWN_EXAMPLES = new Set([
  ...['cacp/peer/add', 'cacp/peer/approve', 'cacp/peer/revoke', 'cacp/peer/remove', 'cacp/token/issue'],
  ...['cacp/work/get', 'cacp/work/send', 'cacp/contract/expect', 'cacp/hub/connect'],
])
const rowNamed = (name: string) => {
  const row = METHODS.find((one) => one.name === name)
  if (row === undefined) throw new TypeError(`no method ${name}`)
  return row
}

describe('the groups', () => {
  test('are exactly those of the method table', () => {
    expect(Object.keys(METHOD_GROUPS).sort()).toEqual(
      [...new Set(ROWS.map(({ name }) => commandOf(name)[0]))].sort(),
    )
  })

  test('hold one command for every method, and no other', () => {
    const commands = Object.keys(METHOD_GROUPS).flatMap((name) => {
      const group = new Command(name)
      addMethodCommands(group, TERMINAL)
      return group.commands.map((command) => `${name} ${command.name()}`)
    })
    const expected = ROWS.map(({ name }) => commandOf(name).join(' '))
    expect(expected).toContain('rpc discover')
    expect(commands.sort()).toEqual(expected.sort())
  })
})

describe.each(named)('$name', ({ row }) => {
  test('has one kebab-case option per param, mandatory where the param is required', () => {
    const shape: Readonly<Record<string, ZodType>> = row.params.shape
    const options = paramOptions(row)
    expect(options.map(({ key }) => key)).toEqual(Object.keys(shape))
    for (const { key, option } of options) {
      expect(option.long).toMatch(/^--[a-z0-9]+(-[a-z0-9]+)*$/)
      const isRequired = !shape[key]?.safeParse(undefined).success
      expect({ key, mandatory: option.mandatory }).toEqual({ key, mandatory: isRequired })
    }
  })

  test('its example survives the way through a command line', async () => {
    const words = wordsFor(paramOptions(row), row.example.params as Record<string, unknown>)
    expect(await parse(row, words)).toEqual(row.example.params)
  })

  test('its help shows the summary and the example', async () => {
    const [group, verb] = commandOf(row.name)
    const { exitCode, out } = await cacpd([group, verb, '--help'])
    expect(exitCode).toBe(0)
    // Their commands say it in words of their own.
    if (group === 'ui') return
    const note = row.access === 'sync' ? ' (called by peers)' : ''
    expect(out.replaceAll(/\s+/g, ' ')).toContain(`${row.summary}${note} `)
    const [, example = ''] = out.split(/Examples?:\n/)
    expect(example).toContain(`  cacpd ${group} ${verb}`)
    const { project, words } = namedFieldsOf(row.params)
    // Without a project a contract has no name.
    for (const key of [project?.key, ...words.flatMap((one) => (one.kind === 'contract' ? one.key : []))])
      if (project !== undefined && key !== undefined)
        expect(example).not.toMatch(new RegExp(`--${kebab(key)} [\\da-f]{8}-`))
    // Some have examples of their own, in fewer words.
    if (OWN_EXAMPLES.has(row.name)) return
    for (const { kind, option } of paramOptions(row).filter((one) => one.option.mandatory))
      expect(example).toContain(kind === 'file' ? ' hello.txt' : ` ${option.long} `)
  })
})

describe('options', () => {
  test('of closed vocabularies take only their words', async () => {
    const { exitCode, err } = await cacpd(['contract', 'respond', '--action', 'maybe'])
    expect(exitCode).toBe(2)
    expect(err).toMatch(/Allowed choices are agree, request_change, reject/)
  })

  test('of numbers take only numbers', async () => {
    const { exitCode, err } = await cacpd(['context', 'list', '--project-id', 'p', '--limit', 'many'])
    expect(exitCode).toBe(2)
    expect(err).toBe(
      "error: option '--limit <number>' argument 'many' is invalid. It must be a number.\nnext: See cacpd context list --help\n",
    )
  })

  test('of booleans can be bare or say false', async () => {
    const archive = rowNamed('cacp/project/archive')
    const words = ['--project-id', 'p', '--archived']
    expect(await parse(archive, words)).toEqual({ projectId: 'p', archived: true })
    expect(await parse(archive, [...words, 'false'])).toEqual({ projectId: 'p', archived: false })
  })

  test('of lists can be repeated', async () => {
    const words = ['--project-id', 'p', '--contract-id', 'c', '--files', 'a', '--files', 'b', 'c']
    expect(await parse(rowNamed('cacp/implementation/complete'), words)).toMatchObject({
      files: ['a', 'b', 'c'],
    })
  })

  test('that are JSON or text keep text as it is', async () => {
    const words = (details: string) => [
      ...['--project-id', 'p', '--contract-id', 'c', '--result', 'failure'],
      ...['--failure-details', details],
    ]
    const verify = rowNamed('cacp/implementation/verify')
    expect(await parse(verify, words('{"status":500}'))).toMatchObject({ failureDetails: { status: 500 } })
    expect(await parse(verify, words('answers 500'))).toMatchObject({ failureDetails: 'answers 500' })
    expect(await parse(verify, words('500'))).toMatchObject({ failureDetails: '500' })
  })

  test('that are required are asked for by name', async () => {
    const { exitCode, err } = await cacpd(['contract', 'get', '--project-id', 'p'])
    expect(exitCode).toBe(2)
    expect(err).toBe(
      'error: CONTRACT is missing: its ID or name (or --contract-id)\nnext: See cacpd contract get --help\n',
    )
  })

  test.each([
    ['cacp/contract/get', ['contractId']],
    ['cacp/contract/respond', ['contractId']],
    ['cacp/contract/diff', ['contractId']],
    ['cacp/implementation/start', ['contractId']],
    ['cacp/context/getThread', ['packetId']],
    ['cacp/context/redact', ['packetId']],
    ['cacp/project/get', ['projectId']],
    ['cacp/project/join', ['projectId']],
    ['cacp/contract/list', []],
    ['cacp/context/list', []],
    ['cacp/contract/propose', []],
    ['cacp/inbox/take', ['itemId']],
    ['cacp/peer/revoke', ['agentId']],
    ['cacp/peer/sync', ['agentId']],
    ['cacp/run/cancel', ['runId']],
    ['cacp/token/revoke', ['tokenId']],
    ['cacp/invite/withdraw', ['inviteId']],
    ['cacp/work/send', ['peer', 'workType']],
  ])('of %s that name what it is about can be left out before words: %j', (name, keys) => {
    expect(methodWords(rowNamed(name)).map(({ param }) => param)).toEqual(keys)
  })

  test('of what has a name are taken without ID or Name at their end', async () => {
    const words = ['--project', 'p', '--contract', 'c', '--action', 'agree']
    expect(await parse(rowNamed('cacp/contract/respond'), words)).toMatchObject({
      projectId: 'p',
      contractId: 'c',
    })
  })

  test('name one thing once', async () => {
    const { exitCode, err } = await cacpd(['contract', 'get', 'Login', '--contract-id', 'Logout'])
    expect(exitCode).toBe(2)
    expect(err).toContain('Name one contract, not two')
  })

  test('name the acting agent everywhere but where a param has that name', () => {
    const without = METHODS.filter((row) =>
      paramOptions(row).some(({ option }) => option.long === '--agent-id'),
    )
    const named = METHODS.filter((row) => Object.hasOwn(row.params.shape, 'agentId'))
    expect(without.map(({ name }) => name)).toContain('cacp/peer/remove')
    expect(without).toEqual(named)
  })

  test.each([
    [['context', 'list', '--project-id', 'p', '--limit', '0'], '--limit: must be at least 1'],
    [['project', 'get', '--project-id', ''], '--project-id: '],
    [['project', 'list', '--agent-id', ' rubbish'], '--agent-id: must be 1 to 256 printable characters'],
    [
      ['project', 'create', '--name', 'n', '--objective', '', '--idempotency-key', ''],
      '--idempotency-key: must be text of 1 to 200 characters',
    ],
    [['project', 'join', '--project-id', 'p', '--repo-name', ' '], '--repo-name: '],
    [['peers', 'remove', '--agent-id', ' rubbish'], '--agent-id: must be 1 to 256 printable characters'],
    [['file', 'share', '--project-id', 'p', '--file', '{"content":"aGVsbG8="}'], '--file.name is missing'],
    [
      ['project', 'list', '--data', ''],
      "option '--data <dir>' argument '' is invalid. It must not be empty.",
    ],
    [['start', '--data', ''], "option '--data <dir>' argument '' is invalid. It must not be empty."],
  ])('%j is refused by its schema, before any call', async (words, message) => {
    const { exitCode, out, err } = await cacpd(words)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(`error: ${message}`)
  })

  test.each(['--data', '--json', '--times', '--idempotency-key', '--help'])(
    '%s is no param of any method',
    (flag) => {
      const taken = METHODS.filter((row) => paramOptions(row).some(({ option }) => option.long === flag))
      expect(taken).toEqual([])
    },
  )
})
