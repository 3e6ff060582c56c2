import { Command } from 'commander'
import { VERSION } from '../../version.ts'
import { METHOD_GROUPS } from '../derive/method-groups.ts'
import { addForm } from '../form/command.ts'
import type { Terminal } from '../output/terminal.ts'
import { COMMANDS, GROUPS, HIDDEN_COMMANDS } from './commands.ts'
import { rootHelp } from './root-help.ts'

/** The command line. What a command needs is loaded when it runs, so that help and errors come at once. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('cacpd')
    .description('Coordinates the coding agents of several repositories (CACP 2.0).')
    .version(VERSION)
    // Read by run(), before there are commands.
    .option('-C <folder>', 'act as if started in that folder (before the command)')
    .helpCommand(false)
    // Methods have a --version too: only what stands before the command belongs to the program.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text),
      writeErr: (text) => terminal.complain(text),
      // report() prints it, like every other error.
      outputError: () => {},
    })
  addCommands(program, terminal)
  program.helpInformation = () => rootHelp(terminal)
  return program
}

/** Adds every word behind `cacpd` by its name; what it takes is added when it is asked for. */
function addCommands(program: Command, terminal: Terminal): void {
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
