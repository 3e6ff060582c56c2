import type { Command } from 'commander'
import type { OutputFlags } from '../derive/call-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import { withCommonOptions } from '../program/common-options.ts'
import type { IssueFlags } from './token.ts'

/** `cacpd token …`: what a script or a guest may do in one project, for less than a day. */
export function addTokenCommands(program: Command, terminal: Terminal): void {
  const load = () => import('./token.ts')
  const token = program
    .command('token')
    .description('tokens that allow some things in one project, here and for a while')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
  withCommonOptions(token.command('issue'))
    .description('make a token, and print it this once')
    .requiredOption('--project <id|name>', 'the project that it is for (required)')
    .requiredOption('--permission <name...>', PERMISSIONS)
    .option(
      '--agent <aid>',
      'whom its bearer acts as; to write, one that holds a repo there (default: the agent of this daemon)',
    )
    .option('--expires <time>', 'how long it works: 90s, 30m or 24h at most', '8h')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: IssueFlags) => (await load()).issueToken(flags, terminal))
  withCommonOptions(token.command('revoke'))
    .description('end a token at once')
    .argument('<id>', 'as `cacpd token list` shows it')
    .addHelpText('after', '\nExample:\n  cacpd token revoke 01934a7c-0000-7000-8000-000000000003')
    .action(async (id: string, flags: OutputFlags) => (await load()).revokeToken(id, flags, terminal))
  withCommonOptions(token.command('list'))
    .description('show the tokens that were made here, without the tokens themselves')
    .option('--project <id|name>', 'only those for this project')
    .addHelpText('after', "\nExample:\n  cacpd token list --project 'User Auth'")
    .action(async (flags: OutputFlags & { project?: string }) => (await load()).listTokens(flags, terminal))
}

const PERMISSIONS =
  'what it allows (required): one or more of project:read, project:write, contract:propose, contract:respond, context:share, implementation:update, file:share'

const EXAMPLES = `
Examples:
  cacpd token issue --project 'User Auth' --permission project:read context:share --expires 2h
  cacpd token list
  cacpd token revoke 01934a7c-0000-7000-8000-000000000003`
