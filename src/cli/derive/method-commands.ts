import { Argument, type Command, type Option } from 'commander'
import { describedMethods } from '../../describe/openrpc.ts'
import { type AnyMethod, EXAMPLE } from '../../methods/row.ts'
import { METHODS } from '../../methods/table.ts'
import { defined } from '../../protocol/collections/defined.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { VERSION } from '../../version.ts'
import { addForm, type CommandForm, helpText, optionsFrom, type Values } from '../form/command.ts'
import type { OptionTexts } from '../form/given.ts'
import { AGENT_ID, commonOptions, IDEMPOTENCY_KEY } from '../form/options.ts'
import type { CallFlags } from '../form/with-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { callAndPrint } from './call.ts'
import { commandOf } from './kebab.ts'
import { type KnownNames, withNames } from './known-names.ts'
import { describeFile, type FileFlags, withoutUploads } from './local-file.ts'
import type { GroupForm, MethodForm, MethodWord, TakesForm } from './method-form.ts'
import { METHOD_GROUPS } from './method-groups.ts'
import { methodWords } from './method-words.ts'
import { assertValid, commandLine, type ParamOption, paramOptions, readParams } from './param-options.ts'

/** Adds one command per method of a group: `cacp/context/askQuestion` is `cacpd context ask-question`. */
export function addMethodCommands(
  group: Command,
  terminal: Terminal,
  { methods = {}, commands = {} }: GroupForm = {},
): void {
  // Only this group has a method outside of the table, and to describe all others takes its time.
  const rows = group.name() === 'rpc' ? describedMethods({ version: VERSION }).methods : METHODS
  const { alone, note = '', shown } = METHOD_GROUPS[group.name()] ?? {}
  const forms = new Map<string, CommandForm>()
  const add = (verb: string, form: CommandForm, hidden: boolean) => {
    forms.set(verb, form)
    addForm(group.command(verb, { isDefault: verb === alone, hidden }), form, terminal)
  }
  for (const row of rows) {
    const [groupName, verb] = commandOf(row.name)
    // Some have a command of their own that says more than their params do.
    const isWritten = Object.hasOwn(commands, verb) || group.commands.some((own) => own.name() === verb)
    if (groupName !== group.name() || isWritten) continue
    // What only peers call is in nobody's way.
    add(verb, commandFor(row, methods[verb]), row.access === 'sync' && groupName !== 'sync')
  }
  for (const [verb, form] of Object.entries(commands)) add(verb, form, false)
  const isAlone =
    alone === undefined ? '' : `Alone it is \`cacpd ${group.name()} ${alone}\`, with its options. `
  group.addHelpText('after', () =>
    helpText({
      note: `${isAlone}${note}`,
      examples: (shown ?? [...forms.keys()].slice(0, 2)).flatMap(
        (verb) => forms.get(verb)?.help().examples?.[0] ?? [],
      ),
    }),
  )
}

type MethodValues = CallFlags & FileFlags & Record<string, unknown>

/** The command of a method under another name than that of the method. */
export const methodCommand: TakesForm<CommandForm> = (method, form) => {
  const row = METHODS.find(({ name }) => name === method)
  if (row === undefined) throw new TypeError(`no method ${method}`)
  return commandFor(row, form)
}

/** The command of a method: its params as options, what it is about as words too, and its example. */
function commandFor(row: AnyMethod, form: MethodForm = {}): CommandForm {
  const params = paramOptions(row).filter(({ key }) => form.only?.includes(key) !== false)
  const file = params.find(({ kind }) => kind === 'file')
  const words = form.words ?? (file === undefined ? methodWords(row) : fileWords(file))
  for (const { key, option } of params) {
    if (words.some(({ param }) => param === key)) option.makeOptionMandatory(false)
    option.helpGroup(option.mandatory ? 'Required:' : 'Optional:')
  }
  // Where a param has the same name, the param is meant.
  const namesAgent = Object.hasOwn(row.params.shape, 'agentId')
  return {
    about: form.about ?? (row.access === 'sync' ? `${row.summary} (called by peers)` : row.summary),
    words: words.map(({ form: word, about }) => new Argument(word, about)),
    options: [
      ...params.map(({ option }) => option),
      ...optional(file === undefined ? {} : FILE_OPTIONS),
      ...optionsFrom({ ...(row.access === 'write' ? IDEMPOTENCY_KEY : {}), ...(namesAgent ? {} : AGENT_ID) }),
      ...commonOptions(),
      ...optional(form.options ?? {}),
    ],
    help: () => ({ examples: [exampleOf(row, params)], ...form }),
    commands: {},
    run: async (given, terminal) => {
      const values: MethodValues = { ...given.options, ...paramsOfWords(words, given, row) }
      const read = await readParams(params, values, terminal)
      const { name, contentType } = values
      const described =
        file === undefined ? read : describeFile(read, file.key, defined({ name, contentType }))
      const asked = form.adjust?.(described, values, terminal) ?? described
      assertValid(row, params, withoutUploads(asked))
      const flags = namesAgent ? { ...values, agentId: undefined } : values
      await callAndPrint(row.name, asked, { given: flags, terminal }, form)
    },
  }
}

const optional = (texts: OptionTexts): Option[] =>
  optionsFrom(texts).map((option) => option.helpGroup('Optional:'))

const fileWords = ({ key, option }: ParamOption): readonly MethodWord[] => [
  {
    form: '[path]',
    about: `the file (instead of ${option.long})`,
    param: key,
    missing: 'Name the file: PATH or --file',
  },
]

/** By their params, what the words say. */
function paramsOfWords(words: readonly MethodWord[], { options, words: said }: Values, row: AnyMethod) {
  const params: Record<string, unknown> = {}
  for (const { form, param, missing } of words) {
    const name = new Argument(form).name()
    const [word, option] = [said[name], options[param]]
    if (word !== undefined && option !== undefined) throw new UsageError(`Name one ${name}, not two`)
    if (word === undefined && option === undefined && missing !== undefined)
      throw new UsageError(missing, `See cacpd ${commandOf(row.name).join(' ')} --help`)
    if (word !== undefined) params[param] = word
  }
  return params
}

/** Beside a file that is named by its path. */
const FILE_OPTIONS = {
  '--name <text>': 'its name for the others (default: that on disk)',
  '--content-type <text>': 'its media type (default: application/octet-stream)',
} as const

/** The example of a method, with the names that people call things by. */
function exampleOf(row: AnyMethod, options: readonly ParamOption[]): string {
  const { params } = withNames({ method: row.name, params: row.example.params as JsonObject }, EXAMPLE_NAMES)
  return commandLine(row, params, { options })
}

const EXAMPLE_NAMES: KnownNames = {
  project: (id) => (id === EXAMPLE.projectId ? EXAMPLE.project.name : id),
  contract: (id) => (id === EXAMPLE.contractId ? 'Get User Profile' : id),
}
