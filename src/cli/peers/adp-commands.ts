import type { Command } from 'commander'
import type { ExchangeFlags } from '../daemon/exchange.ts'
import type { Terminal } from '../output/terminal.ts'
import { dataOption, withCommonOptions } from '../program/common-options.ts'
import type { DiscoverFlags } from './discover.ts'

/** Finding agents, and the place where they are found. */
export function addAdpCommands(program: Command, terminal: Terminal): void {
  withCommonOptions(program.command('discover'))
    .description('find agents that are registered with the exchange of this daemon')
    .argument('[query]', 'words to look for')
    .option('--role <role>', 'only those of this role')
    .option('--language <language>', 'only those of this language')
    .option('--limit <number>', 'how many to list at most (default: 20)')
    .option('--add [aid]', 'ask this one, or the only one that is found, to let this daemon in')
    .addHelpText('after', DISCOVER_EXAMPLES)
    .action(async (query: string | undefined, flags: DiscoverFlags) =>
      (await import('./discover.ts')).discover(query, flags, terminal),
    )
  program
    .command('exchange')
    .description('run an ADP registry, with which the daemons of a team find each other')
    .option(
      '--host <host>',
      'address to listen at; others than loopback need --public-url (default: 127.0.0.1)',
    )
    .option('--public-url <url>', 'https URL by which other machines reach it')
    .option('--tls-cert <file>', 'certificate chain in PEM (default: one of our own, where it is needed)')
    .option('--tls-key <file>', 'its key in PEM')
    .option('--port <port>', 'port; 0 for any free one (default: 8090)')
    .addOption(dataOption('data directory (default: .cacp-exchange)'))
    .option('--json', 'print one JSON line when listening')
    .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent (default: info)')
    .addHelpText('after', EXCHANGE_EXAMPLES)
    .action(async (flags: ExchangeFlags) =>
      (await import('../daemon/exchange.ts')).runExchange(flags, terminal),
    )
}

const DISCOVER_EXAMPLES = `
Examples:
  cacpd discover
  cacpd discover checkout --role frontend --language typescript
  cacpd discover --add aid://example.com/frontend-agent@1.0.0`

const EXCHANGE_EXAMPLES = `
Examples:
  cacpd exchange
  cacpd exchange --host 0.0.0.0 --public-url https://exchange.example:8090`
