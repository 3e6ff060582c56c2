import { type Command, Option } from 'commander'
import { describedMethods } from '../../describe/openrpc.ts'
import { EXAMPLE_CONTRACT_ID, EXAMPLE_PROJECT, EXAMPLE_PROJECT_ID } from '../../methods/examples.ts'
import type { AnyMethod } from '../../methods/row.ts'
import { METHODS } from '../../methods/table.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { VERSION } from '../../version.ts'
import { commandLine } from '../output/command-line.ts'
import type { Terminal } from '../output/terminal.ts'
import { agentIdOption, idempotencyOption, withCommonOptions } from '../program/common-options.ts'
import { UsageError } from '../program/report.ts'
import { addBareWord, bareWordOf, withBareWord } from './bare-word.ts'
import { type CallFlags, callAndPrint } from './call-daemon.ts'
import { commandOf } from './kebab.ts'
import { type KnownNames, withNames } from './known-names.ts'
import { describeFile, type FileFlags, withoutUploads } from './local-file.ts'
import { DEFAULT_VERBS, GROUP_HELP } from './method-groups.ts'
import { assertValid, type ParamOption, paramOptions, readParams } from './param-options.ts'

/** Adds one command per method of a group: `cacp/context/askQuestion` is `cacpd context ask-question`. */
export function addMethodCommands(group: Command, terminal: Terminal): void {
  // Only this group has a method outside of the table, and to describe all others takes its time.
  const rows = group.name() === 'rpc' ? describedMethods({ version: VERSION }).methods : METHODS
  for (const row of rows) {
    const [groupName, verb] = commandOf(row.name)
    // Some have a command of their own that says more than their params do.
    if (groupName !== group.name() || group.commands.some((own) => own.name() === verb)) continue
    const isDefault = DEFAULT_VERBS[groupName] === verb
    addMethodCommand(group.command(verb, { isDefault }), row, terminal)
  }
  const help = GROUP_HELP[group.name()]
  if (help !== undefined) group.addHelpText('after', help)
}

/** As people call things. */
const exampleOf = ({ name, example }: AnyMethod): Readonly<Record<string, unknown>> =>
  withNames({ method: name, params: example.params as JsonObject }, EXAMPLE_NAMES).params

const EXAMPLE_NAMES: KnownNames = {
  project: (id) => (id === EXAMPLE_PROJECT_ID ? EXAMPLE_PROJECT.name : id),
  contract: (id) => (id === EXAMPLE_CONTRACT_ID ? 'Get User Profile' : id),
}

type Values = CallFlags & FileFlags & Record<string, unknown>

function addMethodCommand(command: Command, row: AnyMethod, terminal: Terminal): void {
  const params = paramOptions(row)
  const file = params.find(({ kind }) => kind === 'file')
  command.description(row.access === 'sync' ? `${row.summary} (called by peers)` : row.summary)
  file?.option.makeOptionMandatory(false)
  for (const { option } of params)
    command.addOption(option.helpGroup(option.mandatory ? 'Required:' : 'Optional:'))
  if (file !== undefined) addFileWords(command, file)
  const bare = file === undefined ? bareWordOf(row) : undefined
  if (bare !== undefined) addBareWord(command, bare)
  // Where a param has the same name, the param is meant.
  const namesAgent = params.some(({ key }) => key === 'agentId')

  if (row.access === 'write') command.addOption(idempotencyOption())
  if (!namesAgent) command.addOption(agentIdOption())
  withCommonOptions(command)
  command.addHelpText('after', () => `\nExample:\n  ${commandLine(row, exampleOf(row), { options: params })}`)

  command.action(async (...parsed: unknown[]) => {
    const said = { ...command.opts<Values>() }
    const values = bare === undefined ? said : withBareWord(said, parsed[0], { ...bare, row })
    if (file !== undefined) values[file.key] = theFile(parsed[0], values[file.key])
    const read = await readParams(params, values, terminal)
    const given = file === undefined ? read : describeFile(read, file.key, fileFlags(values))
    assertValid(row, params, withoutUploads(given))
    const flags = namesAgent ? { ...values, agentId: undefined } : values
    await callAndPrint({ method: row.name, params: given, flags, terminal })
  })
}

/** A file can be named like in any other program, and described beside it. */
function addFileWords(command: Command, { option }: ParamOption): void {
  const about = [
    new Option('--name <text>', 'its name for the others (default: that on disk)'),
    new Option('--content-type <text>', 'its media type (default: application/octet-stream)'),
  ]
  command.argument('[path]', `the file (instead of ${option.long})`)
  for (const one of about) command.addOption(one.helpGroup('Optional:'))
}

function theFile(argument: unknown, option: unknown): unknown {
  if (argument !== undefined && option !== undefined) throw new UsageError('Name one file, not two')
  if (argument === undefined && option === undefined) throw new UsageError('Name the file: PATH or --file')
  return argument ?? option
}

const fileFlags = ({ name, contentType }: FileFlags): FileFlags => ({
  ...(name === undefined ? {} : { name }),
  ...(contentType === undefined ? {} : { contentType }),
})
