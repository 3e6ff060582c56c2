import { type Command, Option } from 'commander'
import { UsageError } from './report.ts'
import type { Terminal } from './terminal.ts'
import { type WaitFlags, waitUntil } from './wait.ts'
import { CONTRACT_STATUSES } from './wait-commands.ts'

interface Flags extends WaitFlags {
  readonly projectId?: string | undefined
  readonly status?: string | undefined
  readonly versionAbove?: string | undefined
}

/** `cacpd contract wait CONTRACT`: the shorter form of `cacpd wait contract`. */
export function addContractWait(command: Command, terminal: Terminal): void {
  command
    .description(
      'Wait until a contract is agreed, or that far: exits with 0 if so, and with 3 when the time is over.',
    )
    .addOption(
      new Option('--status <status>', 'that far, or further (default: agreed)').choices(CONTRACT_STATUSES),
    )
    .option('--version-above <number>', 'a newer version than that')
    .option('--timeout <seconds>', 'how long; 0: for ever (default: 50)')
    .addHelpText(
      'after',
      "\nExample:\n  cacpd contract wait 'Get User Profile' --status implemented --timeout 600",
    )
    .action((word: string, flags: Flags) => waitUntil({ contract: goalOf(word, flags) }, flags, terminal))
}

function goalOf(contractId: string, { projectId, status, versionAbove }: Flags): object {
  if (versionAbove !== undefined && !/^\d{1,9}$/.test(versionAbove))
    throw new UsageError('--version-above: must be the number of a version, such as 1')
  return {
    ...(projectId === undefined ? {} : { projectId }),
    contractId,
    ...(versionAbove === undefined ? {} : { versionAbove: Number(versionAbove) }),
    ...(status === undefined && versionAbove !== undefined ? {} : { statusAtLeast: status ?? 'agreed' }),
  }
}
