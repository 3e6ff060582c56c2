import { type Command, InvalidArgumentError, Option } from 'commander'

/** Options that every command takes. */
export function withCommonOptions(command: Command): Command {
  return command
    .addOption(dataOption('data directory of the daemon (default: CACP_DATA, or found from here upwards)'))
    .option('--json', 'print JSON, also for errors')
    .addOption(timesOption())
}

const timesOption = (): Option =>
  new Option('--times <form>', 'times for people: how long ago (default), or exactly').choices(['ago', 'iso'])

/** Empty it is most likely a variable that is not set, and must not mean another directory. */
export const dataOption = (description: string): Option =>
  new Option('--data <dir>', description).argParser((path) => {
    if (path === '') throw new InvalidArgumentError('It must not be empty.')
    return path
  })

export const agentIdOption = (): Option =>
  new Option('--agent-id <aid>', 'act as this agent instead of the daemon’s own')

export const idempotencyOption = (): Option =>
  new Option('--idempotency-key <text>', 'a repeat with the same key and params is carried out once')
