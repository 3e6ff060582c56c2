import type { Command } from 'commander'
import { dataOption } from '../program/common-options.ts'

/** What a daemon can be told at its start, in the foreground and in the background. */
export function withStartOptions(command: Command): Command {
  return command
    .option('--repo <name>', 'name of this repository (default: from the git remote, or the folder)')
    .option('--role <role>', 'backend, frontend, mobile, shared, infra, … (default: guessed from the files)')
    .option('--language <language>', 'main language (default: guessed from the files)')
    .option('--agent-id <aid>', 'who local callers act as (default: made of host and repository)')
    .option(
      '--host <host>',
      'address to listen at; others than loopback need --public-url (default: 127.0.0.1)',
    )
    .option('--public-url <url>', 'https URL by which other machines reach this daemon')
    .option('--tls-cert <file>', 'certificate chain in PEM (default: one of our own, where it is needed)')
    .option('--tls-key <file>', 'its key in PEM')
    .option('--port <port>', 'port; 0 for any free one (default: the last one, or the first free from 8080)')
    .addOption(dataOption('data directory (default: .cacp in the repository)'))
    .option(
      '--new-data',
      'go on although the data directory that this repository had is gone, or is another one',
    )
    .option('--open', 'let callers on this machine in without a key')
    .option('--adp-exchange <url>', 'ADP exchange to find agents with; without one nothing is called')
    .option('--register-adp', 'register there at every start, and keep that up')
    .option('--require-adp', 'the same, and do not start if that fails')
    .option('--allow-known', 'let agents read that are registered there and prove it, without a key')
    .option('--config <file>', 'settings (default: config.json in the data directory)')
    .option('--json', 'print one JSON line when listening')
    .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent (default: info)')
}
