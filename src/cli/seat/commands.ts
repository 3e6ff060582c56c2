import { type Command, Option } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import { agentIdOption, withCommonOptions } from '../program/common-options.ts'
import type { BriefFlags } from './brief.ts'
import type { SearchFlags } from './search.ts'
import type { SummaryFlags } from './summary.ts'
import { addWaitCommands } from './wait-commands.ts'

/** What an agent, or whoever works beside it, asks in between. */
export function addSeatCommands(program: Command, terminal: Terminal): void {
  withCommonOptions(program.command('brief'))
    .description(
      'tell what the project is about, how things stand here and what changed, for a model to read',
    )
    .option(
      '--since <cursor>',
      'only what stands open and what others changed since; the cursor that the brief before names, or `cacpd feed` answers',
    )
    .option('--budget <tokens>', 'how long it may be, from 100 to 20000 (default: 1500)')
    .option('--project <project>', 'ID or name: only of this project')
    .addOption(agentIdOption())
    .addHelpText('after', BRIEF_EXAMPLES)
    .action(async (flags: BriefFlags) => (await import('./brief.ts')).brief(flags, terminal))
  withCommonOptions(program.command('summary'))
    .description('show a project on one page: what is in force, what was decided, who has to do what')
    .argument('[project]', 'ID, the beginning of it, or name (default: the current one, or the only one)')
    .option('--markdown', 'as Markdown, to commit or to paste into a pull request')
    .addOption(agentIdOption())
    .addHelpText('after', SUMMARY_EXAMPLES)
    .action(async (project: string | undefined, flags: SummaryFlags) =>
      (await import('./summary.ts')).showSummary(project, flags, terminal),
    )
  withCommonOptions(program.command('search'))
    .description('find contracts, context and responses by their words')
    .argument('<words...>', 'words to look for; typing errors do not matter')
    .option('--project <project>', 'ID or name: only in this project')
    .addOption(
      new Option('--kind <kind>', 'only things of this kind').choices(['contract', 'context', 'response']),
    )
    .option('--limit <number>', 'how many to show at most, up to 100 (default: 20)')
    .addHelpText('after', SEARCH_EXAMPLES)
    .action(async (words: string[], flags: SearchFlags) =>
      (await import('./search.ts')).search(words, flags, terminal),
    )
  addWaitCommands(program, terminal)
}

const BRIEF_EXAMPLES = `
Examples:
  cacpd brief
  cacpd brief --since 01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41 --budget 500
  cacpd brief --json                  # with the cursor as a value`

const SUMMARY_EXAMPLES = `
Examples:
  cacpd summary
  cacpd summary 'User Auth' --markdown > docs/agreed.md`

const SEARCH_EXAMPLES = `
Examples:
  cacpd search user profile
  cacpd search token expiry --kind response --limit 5`
