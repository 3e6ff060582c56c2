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
  addCompletionCommand(program, terminal)
  program.helpInformation = () => rootHelp(terminal)
  return program
}

function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('complete', { hidden: true })
    .description(
      'print what can stand for a project, contract, packet, repo, peer or item: asked by completion',
    )
    .argument('<kind>')
    .argument('[words...]', 'the command line so far')
    .action(async (kind: string, words: string[]) =>
      (await import('./complete.ts')).offerValues(kind, words, terminal),
    )
  program
    .command('completion')
    .description('print a script that completes commands, options and names in bash, zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', COMPLETION_EXAMPLES)
    .action(async (shell: string) =>
      (await import('./completion.ts')).printCompletion(shell, program, terminal),
    )
}

const COMPLETION_EXAMPLES = `
Examples:
  source <(cacpd completion bash)          # in ~/.bashrc
  source <(cacpd completion zsh)           # in ~/.zshrc, after compinit
  cacpd completion fish > ~/.config/fish/completions/cacpd.fish`
