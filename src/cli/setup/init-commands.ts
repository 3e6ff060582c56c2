import type { Command } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import type { InitFlags } from './init.ts'

/** `cacpd init`: what coding agents need to find this daemon, put into their files and taken out again. */
export function addInitCommands(program: Command, terminal: Terminal): void {
  program
    .command('init')
    .description('set up the coding agents of this repository, or undo that')
    .option(
      '--agents <names>',
      'claude, codex, cursor, vscode; several with commas (default: those that are used here)',
    )
    .option('--hooks', 'also tell them what is new at the start of a session, with a prompt and at the end')
    .option('--here', 'in this folder, also where there is no git repository')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--check', 'only say whether all is in place; exit code 1 if not')
    .option('--remove', 'take out all that was put in, to the byte where nobody else changed the file')
    .option('--json', 'print JSON, also for errors')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: InitFlags) => (await import('./init.ts')).init(flags, terminal))
}

const EXAMPLES = `
Nothing else in these files is touched, no git command is run, and no key or port is written anywhere.

Examples:
  cacpd init --dry-run
  cacpd init --agents claude,codex --hooks
  cacpd init --check
  cacpd init --remove`
