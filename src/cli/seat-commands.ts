import { type Command, Option } from 'commander'
import { withCommonOptions } from './common-options.ts'
import type { SearchFlags } from './search.ts'
import type { Terminal } from './terminal.ts'

/** What an agent, or whoever works beside it, asks in between. */
export function addSeatCommands(program: Command, terminal: Terminal): void {
  program.commandsGroup('Agent:')
  withCommonOptions(program.command('search'))
    .description('find contracts, context and responses by their words')
    .argument('<words...>', 'words to look for; typing errors do not matter')
    .option('--project <id>', 'only in this project')
    .addOption(
      new Option('--kind <kind>', 'only things of this kind').choices(['contract', 'context', 'response']),
    )
    .option('--limit <number>', 'how many to show at most, up to 100 (default: 20)')
    .addHelpText('after', SEARCH_EXAMPLES)
    .action(async (words: string[], flags: SearchFlags) =>
      (await import('./search.ts')).search(words, flags, terminal),
    )
}

const SEARCH_EXAMPLES = `
Examples:
  cacpd search user profile
  cacpd search token expiry --kind response --limit 5`
