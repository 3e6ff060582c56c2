import type { Command } from 'commander'
import { type CallFlags, withDaemon } from '../derive/call-daemon.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { agentIdOption, withCommonOptions } from '../program/common-options.ts'
import { UsageError } from '../program/report.ts'

interface UseFlags extends CallFlags {
  readonly clear?: boolean
}

/** `cacpd use [PROJECT]` */
export function addUseCommand(program: Command, terminal: Terminal): void {
  withCommonOptions(program.command('use'))
    .description('choose the project that commands and agents of this repository mean; alone, show it')
    .argument('[project]', 'ID, the beginning of it, or name')
    .option('--clear', 'choose none any more')
    .addOption(agentIdOption())
    .addHelpText('after', EXAMPLES)
    .action((project: string | undefined, flags: UseFlags) => use(project, flags, terminal))
}

async function use(project: string | undefined, flags: UseFlags, terminal: Terminal): Promise<void> {
  if (project !== undefined && flags.clear === true)
    throw new UsageError('Name a project, or clear the choice: one of the two')
  const current = await withDaemon(flags, terminal, async (client) => {
    if (flags.clear === true) return client.call('cacp/project/use', { clear: true })
    if (project === undefined) return client.call('cacp/project/current', {})
    const { projectId } = await client.call('cacp/lookup', { projectId: project })
    return client.call('cacp/project/use', { projectId })
  })
  if (flags.json === true) return terminal.print(`${JSON.stringify(current)}\n`)
  terminal.print(`${printableLine(described(current))}\n`)
}

function described({ projectId, name, isSet }: Current): string {
  if (projectId === null) return 'none: choose one with `cacpd use PROJECT`, or name it in each command'
  return `${name} (${projectId})${isSet ? '' : ', because there is no other'}`
}

interface Current {
  readonly projectId: string | null
  readonly name: string | null
  readonly isSet: boolean
}

const EXAMPLES = `
Examples:
  cacpd use 'User Auth'
  cacpd use
  cacpd use --clear`
