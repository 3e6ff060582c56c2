import type { Command } from 'commander'
import { METHOD_GROUPS } from '../derive/method-groups.ts'
import { addForm } from '../form/add-command.ts'
import type { Terminal } from '../output/terminal.ts'
import { COMMANDS, GROUPS, HIDDEN_COMMANDS } from './commands.ts'

/** Adds every word behind `cacpd` by its name; what it takes is added when it is asked for. */
export function addCommands(program: Command, terminal: Terminal): void {
  for (const name of Object.keys(COMMANDS)) program.command(name, { hidden: HIDDEN_COMMANDS.has(name) })
  for (const [name, { about, isHidden: hidden = false }] of Object.entries(METHOD_GROUPS))
    if (!Object.hasOwn(COMMANDS, name)) program.command(name, { hidden }).description(about)
  program.hook('preSubcommand', (_program, command) => fillCommand(command, terminal))
}

/** Gives a command its form, and below it a command for each method of the group of that name. */
export async function fillCommand(command: Command, terminal: Terminal): Promise<void> {
  const name = command.name()
  const form = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.() : undefined
  if (form !== undefined) addForm(command, form, terminal)
  if (!Object.hasOwn(METHOD_GROUPS, name)) return
  const group = Object.hasOwn(GROUPS, name) ? await GROUPS[name]?.() : undefined
  const { addMethodCommands } = await import('../derive/method-commands.ts')
  addMethodCommands(command, terminal, group)
}
