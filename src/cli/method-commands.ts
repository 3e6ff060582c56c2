import type { Command } from 'commander'
import type { AnyMethod } from '../methods/row.ts'
import { METHODS } from '../methods/table.ts'
import { type CallFlags, callAndPrint } from './call-daemon.ts'
import { agentIdOption, idempotencyOption, withCommonOptions } from './common-options.ts'
import { kebab } from './kebab.ts'
import { type ParamOption, paramOptions, readParams, wordsFor } from './param-options.ts'
import type { Terminal } from './terminal.ts'

/** Adds one command per method of a group: `cacp/context/askQuestion` is `cacpd context ask-question`. */
export function addMethodCommands(group: Command, terminal: Terminal): void {
  for (const row of METHODS) {
    const [, groupName, verb] = row.name.split('/')
    if (groupName === group.name() && verb !== undefined)
      addMethodCommand(group.command(kebab(verb)), row, terminal)
  }
}

function addMethodCommand(command: Command, row: AnyMethod, terminal: Terminal): void {
  const params = paramOptions(row)
  command.description(row.summary)
  for (const { option } of params)
    command.addOption(option.helpGroup(option.mandatory ? 'Required:' : 'Optional:'))
  // Where a param has the same name, the param is meant.
  const namesAgent = params.some(({ key }) => key === 'agentId')

  if (row.access === 'write') command.addOption(idempotencyOption())
  if (!namesAgent) command.addOption(agentIdOption())
  withCommonOptions(command)
  command.addHelpText('after', () => `\nExample:\n  ${exampleLine(command, row, params)}`)

  command.action(async (values: CallFlags & Record<string, unknown>) => {
    const flags = namesAgent ? { ...values, agentId: undefined } : values
    await callAndPrint({
      method: row.name,
      params: await readParams(params, values, terminal),
      flags,
      terminal,
    })
  })
}

function exampleLine(command: Command, row: AnyMethod, params: readonly ParamOption[]): string {
  const example = row.example.params as Record<string, unknown>
  const names = ['cacpd', command.parent?.name() ?? '', command.name()]
  return [...names, ...wordsFor(params, example).map(quote)].join(' ')
}

/** As a POSIX shell wants a word that has more than harmless characters. */
const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
