import { type Command, Option } from 'commander'

/** Options that every command takes. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--data <dir>', 'data directory of the daemon (default: CACP_DATA, or found from here upwards)')
    .option('--json', 'print JSON, also for errors')
}

export const agentIdOption = (): Option =>
  new Option('--agent-id <aid>', 'act as this agent instead of the daemon’s own')

export const idempotencyOption = (): Option =>
  new Option('--idempotency-key <text>', 'a repeat with the same key and params is carried out once')
