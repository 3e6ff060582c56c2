import { userInfo } from 'node:os'
import { stateDirOf } from '../../config/state-dir.ts'
import { type FoundDaemon, findDaemon } from '../../io/place/find-daemon.ts'
import { isOverSsh } from '../../io/ui/open-browser.ts'
import { runningDaemons } from '../../io/ui/running-daemons.ts'
import { command } from '../form/command.ts'
import type { OutputFlags } from '../form/with-daemon.ts'
import { printableLine } from '../output/printable.ts'
import { quoted, sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { CommandError, ExitWith, report } from '../program/report.ts'
import { browserName } from './browser-name.ts'
import { type Login, type LoginState, withLogin } from './login.ts'
import { revoke, sessions } from './sessions.ts'

interface Flags extends OutputFlags {
  readonly open?: boolean | undefined
}

/** Lets a browser in: the address works once, and this waits until somebody has used it. */
export const ui = command({
  about: 'open the dashboard of this repository in a browser',
  options: {
    '--no-open': 'only print the address',
    '--all': 'the dashboards of all daemons of yours that run at this machine',
  },
  note: `The address works once, within a minute; the exit code is 3 if nobody used it. Over ssh it is printed with the
command that forwards the port.`,
  examples: [
    'cacpd ui',
    'cacpd ui --no-open',
    'cacpd ui --all',
    'cacpd ui sessions',
    'cacpd ui revoke --all',
  ],
  commands: { sessions, revoke },
  run: async (given, terminal) => {
    // Commander names what `--no-open` takes away.
    const flags: Flags = given
    const { env, cwd } = terminal
    if (given.all === undefined)
      return openOne(await findDaemon({ dataDir: given.data, env, cwd }), flags, terminal)
    return openAll(flags, terminal)
  },
})

async function openAll(flags: Flags, terminal: Terminal): Promise<void> {
  const running = await runningDaemons(stateDirOf(terminal.env))
  if (running.length === 0)
    throw new CommandError(
      'No daemon of yours runs at this machine',
      'unavailable',
      'Run `cacpd up -d` in a repository',
    )
  const opening = running.map(async ({ dataDir }): Promise<number> => {
    try {
      await openOne(await findDaemon({ dataDir, env: {} }), flags, terminal)
      return 0
    } catch (error) {
      return report(error, terminal, { json: flags.json === true })
    }
  })
  const codes = (await Promise.all(opening)).filter((code) => code !== 0)
  if (codes.length > 0) throw new ExitWith(codes.every((code) => code === 3) ? 3 : 1)
}

async function openOne(daemon: FoundDaemon, flags: Flags, terminal: Terminal): Promise<void> {
  await prepareForwarding(daemon, flags, terminal)
  const state = await withLogin(daemon, async (login, ended) => {
    const { repo } = daemon.endpoint
    const isJson = flags.json === true
    terminal.print(isJson ? `${JSON.stringify({ repo, ...login })}\n` : `${addressFor(login, terminal)}\n`)
    const mayOpen = flags.open !== false && !isOverSsh(terminal.env)
    const isOpened = mayOpen && (await terminal.openPage?.(login.url)) === true
    if (!isJson) terminal.complain(`${howToGoOn(login, { repo, isOpened })}\n`)
    const state = await ended()
    terminal[isJson ? 'print' : 'complain'](
      isJson ? `${JSON.stringify({ repo, ...state })}\n` : `${whatBecame(state, flags, terminal)}\n`,
    )
    return state
  })
  if (state.status !== 'used') throw new ExitWith(3)
}

/** A code lasts a minute, which is short for whoever has to make a tunnel first: so the tunnel comes first. */
async function prepareForwarding({ endpoint }: FoundDaemon, { json }: Flags, terminal: Terminal) {
  const { env, ask, complain } = terminal
  if (!isOverSsh(env)) return
  const tunnel = forwardingCommand(endpoint.url, env['SSH_CONNECTION'] ?? '')
  complain(`You are here over ssh. To reach the dashboard, run this at your own machine:\n  ${tunnel}\n`)
  if (json !== true) await ask?.('Press Enter when it runs. ')
}

/** Over ssh the address for other machines needs no tunnel. */
const addressFor = ({ url, remoteUrl }: Login, { env }: Terminal): string =>
  isOverSsh(env) ? (remoteUrl ?? url) : url

const howToGoOn = ({ words }: Login, { repo, isOpened }: { repo: string; isOpened: boolean }): string =>
  [
    isOpened
      ? `Opened the dashboard of ${printableLine(repo)} in your browser.`
      : `Open this address within a minute; it works once.`,
    `The page shows these words, or it is not of this daemon: ${words}`,
  ].join('\n')

function whatBecame(state: LoginState, flags: Flags, { self }: Terminal): string {
  const { status, userAgent = '', sessionId, address } = state
  if (status !== 'used') return 'Nobody used the address, which has ended by now.'
  const from = address === undefined || address === '127.0.0.1' || address === '::1' ? '' : ` at ${address}`
  return `Let in: ${printableLine(browserName(userAgent))}${from}. If that was not you: ${self} ui revoke ${sessionId}${sameDaemon(flags)}`
}

/**
 * The command that makes the port of a daemon here reachable at the machine from which the person is connected: that
 * machine knows this one by the address that ssh came in at.
 */
export function forwardingCommand(url: string, connection: string, user = userInfo().username): string {
  const { port, hostname } = new URL(url)
  const [, , address = 'HOST', sshPort = '22'] = connection.split(' ')
  const at = sshPort === '22' ? '' : ` -p ${sshPort}`
  return `ssh -N -L ${port}:${hostname}:${port}${at} ${quoted(`${user}@${address}`)}`
}
