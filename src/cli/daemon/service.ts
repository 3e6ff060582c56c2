import { homedir } from 'node:os'
import {
  fileOf,
  installService,
  type Manager,
  planService,
  removeService,
  type ServiceFile,
  type ServiceOptions,
} from '../../io/background/service-file.ts'
import { logPath } from '../../io/background/state.ts'
import { LAUNCHER } from '../../launcher.ts'
import { command } from '../form/command.ts'
import type { Given } from '../form/given.ts'
import { quoted } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { placeHere } from './first-run.ts'

const MANAGER = {
  '--manager <name>': { about: 'default: that of this system', choices: ['systemd', 'launchd'] },
} as const

/** Writes the file, and leaves it to the user to tell the service manager so. */
const install = command({
  about: 'write the file that the service manager of this user reads, and say what to run',
  options: { '--dry-run': 'only show it', ...MANAGER },
  examples: ['cacpd service install --dry-run'],
  result: async (flags, terminal) => {
    const options = await optionsFrom(flags, terminal)
    const dryRun = flags.dryRun === true
    const file = dryRun ? await planService(options) : await installService(options)
    return { ...file, dryRun, commands: startingCommands(file, options.manager) }
  },
  show: ({ path, text, change, dryRun, commands }) =>
    dryRun
      ? `Would write ${path}:\n\n${text.replace(/\n$/, '')}`
      : `${CHANGES[change]} ${path}\nNothing was started. To have it run now and after every login:\n${indented(commands)}`,
})

const CHANGES = {
  written: 'Wrote',
  replaced: 'Replaced',
  'as it was': 'Was there already, the same:',
} as const

const remove = command({
  about: 'take that file away again',
  options: { '--dry-run': 'only say which', ...MANAGER },
  examples: ['cacpd service remove'],
  run: async (flags, terminal) => {
    const options = await optionsFrom(flags, terminal)
    if (flags.dryRun === true) {
      const { path, change } = await planService(options)
      return terminal.print(
        change === 'written' ? 'There is no service to remove\n' : `Would remove ${path}\n`,
      )
    }
    const removed = await removeService(options)
    if (flags.json === true) terminal.print(`${JSON.stringify({ removed: removed ?? null })}\n`)
    else if (removed === undefined) terminal.print('There was no service to remove\n')
    else terminal.print(`Removed ${removed}\nTell its manager:\n${indented([afterRemoval(options)])}\n`)
  },
})

export const service = command({
  about: 'have the daemon run at every login (systemd, launchd)',
  examples: ['cacpd service install --dry-run', 'cacpd service install', 'cacpd service remove'],
  commands: { install, remove },
})

type ServiceFlags = Given<Record<never, never>, typeof MANAGER>

/** What was loaded goes on, and is started again when it ends, until launchd is told otherwise. */
const unload = (name: string): string => `launchctl bootout gui/$(id -u)/${name}`

const afterRemoval = (options: ServiceOptions): string =>
  options.manager === 'systemd'
    ? 'systemctl --user daemon-reload'
    : `${unload(fileOf(options).name)}   # ends it; where it was not loaded, this says so`

async function optionsFrom(flags: ServiceFlags, terminal: Terminal): Promise<ServiceOptions> {
  const { env } = terminal
  const place = await placeHere(terminal, flags.data)
  return {
    manager: managerOf(flags),
    env,
    home: env['HOME'] || homedir(),
    dataDir: place.dataDir,
    cwd: place.cwd,
    // Not by name: a service manager has another PATH than a terminal.
    command: [process.execPath, LAUNCHER, 'start', '--data', place.dataDir],
    log: logPath(place.dataDir),
  }
}

function managerOf({ manager }: ServiceFlags): Manager {
  if (manager !== undefined) return manager
  if (process.platform === 'win32')
    throw new UsageError('There is no service manager here that cacpd knows: use `cacpd up -d`')
  return process.platform === 'darwin' ? 'launchd' : 'systemd'
}

/** What runs already as it was written before has to be ended: neither manager does that by itself. */
const startingCommands = ({ name, path, change }: ServiceFile, manager: Manager): string[] =>
  manager === 'launchd'
    ? [
        ...(change === 'written' ? [] : [`${unload(name)}   # where it is loaded already`]),
        `launchctl bootstrap gui/$(id -u) ${quoted(path)}`,
      ]
    : [
        'systemctl --user daemon-reload',
        `systemctl --user enable --now ${name}`,
        ...(change === 'replaced' ? [`systemctl --user restart ${name}`] : []),
        `journalctl --user -u ${name}   # its log`,
        'loginctl enable-linger   # to keep it while you are logged out',
      ]

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n')
