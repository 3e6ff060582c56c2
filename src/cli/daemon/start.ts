import { type Config, type ConfigSources, loadConfig, unknownVariables } from '../../config/config.ts'
import type { Daemon } from '../../daemon/daemon.ts'
import { createLog } from '../../io/audit/log.ts'
import type { Place } from '../../io/background/place.ts'
import { findDataDir } from '../../io/place/data-dir.ts'
import { assertStoreNotLost, rememberStore } from '../../io/place/remembered-store.ts'
import { command } from '../form/command.ts'
import { nextSteps } from '../output/next-steps.ts'
import { paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'
import { sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { firstSignal } from '../program/first-signal.ts'
import { endOnUnexpected } from '../program/unexpected.ts'
import { renameNotice } from './daemon-health.ts'
import { START_OPTIONS } from './start-options.ts'

export type StartFlags = ConfigSources['flags'] & {
  readonly json?: boolean | undefined
  /** The data directory that the repository had is not the one to go on with. */
  readonly newData?: boolean | undefined
}

export const start = command({
  about: 'start the daemon of this repository',
  isCommon: false,
  options: START_OPTIONS,
  examples: [
    'cacpd start',
    'cacpd start --repo frontend-app --role frontend --port 8081',
    'cacpd start --open                                    # no keys, for programs on this machine only',
    'cacpd start --host 0.0.0.0 --port 8080 --public-url https://laptop.example:8080',
  ],
  run: (flags, terminal) => startDaemonWith(flags, terminal),
})

/** In milliseconds. Until then the processor is left to the start and to those who call at once. */
const UNTIL_ALL_IS_LOADED = 10_000

/** Returns when a signal has ended the daemon. */
async function startDaemonWith({ json, newData: isNew = false, ...flags }: StartFlags, terminal: Terminal) {
  for (const { name, closest } of unknownVariables(terminal.env))
    terminal.complain(`warning: ${printable(name)} is no setting; the closest one is ${closest}\n`)
  const config = await loadConfig({ flags, env: terminal.env, cwd: terminal.cwd })
  if (!isNew) await assertStoreNotLost(config)
  // Heard from here on, so that a signal during the start ends it in order too.
  const signal = firstSignal()
  const log = createLog(config.logLevel)
  using _ending = endOnUnexpected(log, terminal, { json: json === true })
  const [{ startDaemon }, { loadLazyModules }] = await Promise.all([
    import('../../daemon/daemon.ts'),
    import('../../daemon/lazy-modules.ts'),
  ])
  await using daemon = await startDaemon(config, { log })
  await rememberStore(config, { isNew }).catch((error: unknown) =>
    log.warn({ err: error }, 'should the data directory be moved, nobody will notice: it could not be noted'),
  )
  terminal.print(json === true ? listening(daemon, config) : await greeting(daemon, config, terminal))
  const loading = setTimeout(() => void loadLazyModules(log), UNTIL_ALL_IS_LOADED)
  await signal
  clearTimeout(loading)
  await withinTime(daemon.stopServing(), config)
}

/** The same for the data directory of a repository, from wherever in it. */
export const startAt = ({ dataDir, cwd }: Place, flags: StartFlags, terminal: Terminal): Promise<void> =>
  startDaemonWith({ ...flags, data: dataDir }, { ...terminal, cwd })

function listening({ url, agentId, repo, dataDir }: Daemon, { publicUrl, renamed }: Config): string {
  const others = {
    ...(publicUrl === null ? {} : { publicUrl }),
    ...(renamed === null ? {} : { renamedFrom: renamed.from }),
  }
  return `${JSON.stringify({ event: 'listening', url, ...others, agentId, repo, data: dataDir, pid: process.pid })}\n`
}

/** The daemon itself cuts off what takes too long; should that hang, the process still ends. */
async function withinTime(stopped: Promise<void>, { shutdownSeconds }: Config): Promise<void> {
  const limit = setTimeout(() => process.exit(1), (shutdownSeconds + 1) * 1000)
  await stopped
  clearTimeout(limit)
}

async function greeting(daemon: Daemon, config: Config, terminal: Terminal): Promise<string> {
  const facts = (['repo', 'role', 'language', 'agentId'] as const).map((key) => {
    const note = config.guessed.includes(key) ? paint('dim', ' (guessed)', terminal) : ''
    return `  ${key.padEnd(9)} ${config[key]}${note}`
  })
  const isFoundFromHere = (await findDataDir(terminal.cwd)) === daemon.dataDir
  const data = isFoundFromHere ? '' : sameDaemon({ data: daemon.dataDir })
  const others = config.publicUrl === null ? '' : `\n  others    reach it at ${config.publicUrl}`
  const renamed = config.renamed === null ? '' : `\n${renameNotice(config.renamed)}`
  return `${paint('bold', `cacpd listens at ${daemon.url}`, terminal)}${others}${renamed}
${facts.join('\n')}
  data      ${daemon.dataDir}
  key       ${config.open ? 'not needed on this machine (--open)' : `${terminal.self} key${data}`}

In another terminal:
${nextSteps(terminal.self, data)}
  Try it                ${terminal.self} project create --name 'First feature' --objective 'See what cacpd does'${data}
Stop with Ctrl-C; \`${terminal.self} up -d\` runs it in the background. Change what was guessed with --repo, --role, --language, --agent-id.
`
}
