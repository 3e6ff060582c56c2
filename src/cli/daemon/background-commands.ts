import { type Command, Option } from 'commander'
import type { OutputFlags } from '../derive/call-daemon.ts'
import type { DoctorFlags } from '../doctor/doctor.ts'
import type { Terminal } from '../output/terminal.ts'
import { dataOption, withCommonOptions } from '../program/common-options.ts'
import type { UpFlags } from './background.ts'
import type { LogFlags } from './logs.ts'
import type { ServiceFlags } from './service.ts'
import { withStartOptions } from './start-options.ts'

/** `cacpd up | down | logs`: the daemon without a terminal of its own. */
export function addBackgroundCommands(program: Command, terminal: Terminal): void {
  const load = () => import('./background.ts')
  withStartOptions(
    program.command('up').option('-d, --detach', 'in the background, and again when it crashes'),
  )
    .description('start the daemon of this repository, with -d in the background')
    .addHelpText('after', UP_EXAMPLES)
    .action(async (flags: UpFlags) => (await load()).up(flags, terminal))
  withCommonOptions(program.command('down'))
    .description('end the daemon of this repository, and wait until it is gone')
    .addHelpText('after', '\nExample:\n  cacpd down')
    .action(async (flags: OutputFlags) => (await load()).down(flags, terminal))
  withCommonOptions(program.command('logs'))
    .description('show what the daemon in the background has logged')
    .option('-f, --follow', 'go on with what comes, until Ctrl-C')
    .option('-n, --lines <number>', 'how many lines at most', '50')
    .addHelpText('after', LOG_EXAMPLES)
    .action(async (flags: LogFlags) => (await import('./logs.ts')).showLogs(flags, terminal))
  addServiceCommands(program, terminal)
  withCommonOptions(program.command('doctor'))
    .description('look for what is wrong here, and say how to put it right')
    .option('--fix', 'put right what can be without losing anything')
    .addHelpText('after', DOCTOR_EXAMPLES)
    .action(async (flags: DoctorFlags) => (await import('../doctor/doctor.ts')).doctor(flags, terminal))
  // No word of its own: it is what `cacpd` alone does, and an action of the program would swallow unknown commands.
  program
    .command('first-run', { hidden: true })
    .description('show the daemon of this repository, or start it')
    .action(async () => (await import('./first-run.ts')).firstRun(program.helpInformation(), terminal))
  program
    .command('supervise', { hidden: true })
    .description('watch over a daemon; `cacpd up -d` starts this')
    .addOption(dataOption('data directory').makeOptionMandatory())
    .argument('[words...]', 'options of `cacpd start`')
    .action(async (words: string[], { data }: { data: string }) =>
      (await load()).watchOver(data, words, terminal),
    )
}

function addServiceCommands(program: Command, terminal: Terminal): void {
  const load = () => import('./service.ts')
  const service = program
    .command('service')
    .description('have the daemon run at every login (systemd, launchd)')
    .helpCommand(false)
    .addHelpText('after', SERVICE_EXAMPLES)
  const manager = () =>
    new Option('--manager <name>', 'default: that of this system').choices(['systemd', 'launchd'])
  withCommonOptions(service.command('install'))
    .description('write the file that the service manager of this user reads, and say what to run')
    .option('--dry-run', 'only show it')
    .addOption(manager())
    .addHelpText('after', '\nExample:\n  cacpd service install --dry-run')
    .action(async (flags: ServiceFlags) => (await load()).install(flags, terminal))
  withCommonOptions(service.command('remove'))
    .description('take that file away again')
    .option('--dry-run', 'only say which')
    .addOption(manager())
    .addHelpText('after', '\nExample:\n  cacpd service remove')
    .action(async (flags: ServiceFlags) => (await load()).remove(flags, terminal))
}

const DOCTOR_EXAMPLES = `
Exit code 1 when something is wrong. Without --fix nothing is changed.

Examples:
  cacpd doctor
  cacpd doctor --fix`

const SERVICE_EXAMPLES = `
Examples:
  cacpd service install --dry-run
  cacpd service install
  cacpd service remove`

const UP_EXAMPLES = `
Examples:
  cacpd up -d
  cacpd up -d --repo frontend-app --port 8081
  cacpd up                                              # in the foreground, as cacpd start`

const LOG_EXAMPLES = `
Examples:
  cacpd logs
  cacpd logs -f -n 10`
