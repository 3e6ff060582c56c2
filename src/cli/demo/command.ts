import type { Command } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import type { DemoFlags } from './demo.ts'

export function addDemoCommand(program: Command, terminal: Terminal): void {
  program
    .command('demo')
    .description('watch two repositories work out a contract')
    .option('--fast', 'without the pauses in which to read')
    .option('--keep', 'leave both daemons running, and say how to look around and how to end them')
    .option('--json', 'print one JSON line per event, without pauses')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: DemoFlags) => (await import('./demo.ts')).demo(flags, terminal))
}

const EXAMPLES = `
Two daemons are started in folders that are made for this, and everything is removed at the end, also after Ctrl-C.
Nothing leaves this machine.

Examples:
  cacpd demo
  cacpd demo --keep
  cacpd demo --json`
