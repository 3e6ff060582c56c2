import type { Command } from 'commander'
import { HIDDEN_GROUPS, METHOD_GROUPS } from '../derive/method-groups.ts'
import type { Terminal } from '../output/terminal.ts'

/** The groups are known by name; the methods of one are loaded when it is asked for. */
export function addMethodGroups(program: Command, terminal: Terminal): void {
  // One that is a command of its own has its methods below that.
  const own = new Set(program.commands.map((command) => command.name()))
  for (const [name, summary] of Object.entries(METHOD_GROUPS))
    if (!own.has(name)) program.command(name, { hidden: HIDDEN_GROUPS.has(name) }).description(summary)
  program.hook('preSubcommand', (_program, command) => fillGroup(command, terminal))
}

/** Adds the methods of a group to its command; any other command is left as it is. */
export async function fillGroup(command: Command, terminal: Terminal): Promise<void> {
  if (!Object.hasOwn(METHOD_GROUPS, command.name())) return
  const { addMethodCommands } = await import('../derive/method-commands.ts')
  addMethodCommands(command, terminal)
  if (command.name() === 'work') (await import('../work/work.ts')).addWorkWords(command, terminal)
  if (command.name() === 'inbox') (await import('../seat/inbox.ts')).addInboxWords(command, terminal)
  if (command.name() === 'contract')
    (await import('../contract/contract.ts')).addContractWords(command, terminal)
  if (command.name() === 'outbox') (await import('../seat/outbox.ts')).addOutboxWords(command, terminal)
  if (command.name() === 'file') (await import('../work/get-file.ts')).addGetFileCommand(command, terminal)
}
