import { type Command, Option } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { type WaitFlags, waitUntil } from '../seat/wait.ts'
import { CONTRACT_STATUSES } from '../seat/wait-commands.ts'

interface Flags extends WaitFlags {
  readonly projectId?: string | undefined
  readonly status?: string | undefined
  readonly versionAbove?: string | undefined
  readonly orVersionAbove?: string | undefined
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
    .option('--or-version-above <number>', 'or a newer version than that, however far it is')
    .option('--timeout <seconds>', 'how long; 0: for ever (default: 50)')
    .addHelpText(
      'after',
      "\nExample:\n  cacpd contract wait 'Get User Profile' --status implemented --timeout 600",
    )
    .action((word: string, flags: Flags) => waitUntil(goalsOf(word, flags), flags, terminal))
}

function goalsOf(contractId: string, { projectId, orVersionAbove, ...flags }: Flags): object {
  const meant = { ...(projectId === undefined ? {} : { projectId }), contractId }
  const goal = { contract: { ...meant, ...goalOf(flags) } }
  if (orVersionAbove === undefined) return goal
  const versionAbove = versionIn('--or-version-above', orVersionAbove)
  return { any: [goal, { contract: { ...meant, versionAbove } }] }
}

const goalOf = ({ status, versionAbove }: Flags): object => ({
  ...(versionAbove === undefined ? {} : { versionAbove: versionIn('--version-above', versionAbove) }),
  ...(status === undefined && versionAbove !== undefined ? {} : { statusAtLeast: status ?? 'agreed' }),
})

function versionIn(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${option}: must be the number of a version, such as 1`)
}
