import { Command } from 'commander'
import { VERSION } from '../../version.ts'
import type { Terminal } from '../output/terminal.ts'
import { addCommands } from './add-commands.ts'
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
