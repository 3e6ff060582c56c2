import { resolve } from 'node:path'
import { objectionTo } from '../../config/exposure.ts'
import { Settings } from '../../config/settings.ts'
import type { Exchange, ExchangeConfig } from '../../exchange/start-exchange.ts'
import { createLog } from '../../io/audit/log.ts'
import { readAs } from '../../protocol/read-as.ts'
import { kebab } from '../derive/kebab.ts'
import { command } from '../form/command.ts'
import type { Given } from '../form/given.ts'
import { dataDirectory } from '../form/options.ts'
import { paint } from '../output/paint.ts'
import type { Terminal } from '../output/terminal.ts'
import { firstSignal } from '../program/first-signal.ts'
import { UsageError } from '../program/report.ts'
import { endOnUnexpected } from '../program/unexpected.ts'
import { LISTENING } from './start-options.ts'

const OPTIONS = {
  ...LISTENING,
  '--port <port>': 'port; 0 for any free one (default: 8090)',
  ...dataDirectory('data directory (default: .cacp-exchange)'),
} as const

/** Not that of a daemon, so that both can run in one folder. */
const DEFAULTS = { port: 8090, data: '.cacp-exchange' } as const

/** Returns when a signal has ended it. */
export const exchange = command({
  about: 'run an ADP registry, with which the daemons of a team find each other',
  isCommon: false,
  options: OPTIONS,
  examples: ['cacpd exchange', 'cacpd exchange --host 0.0.0.0 --public-url https://exchange.example:8090'],
  run: async (flags, terminal) => {
    const config = configOf(flags, terminal)
    const signal = firstSignal()
    using _ending = endOnUnexpected(createLog(config.logLevel), terminal, { json: flags.json === true })
    const { startExchange } = await import('../../exchange/start-exchange.ts')
    await using exchange = await startExchange(config)
    terminal.print(flags.json === true ? listening(exchange) : greeting(exchange, terminal))
    await signal
  },
})

const Flags = Settings.pick({ host: true, port: true, publicUrl: true, logLevel: true })

function configOf(flags: Given<Record<never, never>, typeof OPTIONS>, { cwd }: Terminal): ExchangeConfig {
  const { port, ...read } = readAs(Flags, flags, ({ field }) => {
    const { description } = Settings.shape[field as keyof typeof Flags.shape]
    return new UsageError(`--${kebab(field)}: must be ${description}`)
  })
  const path = (flag: string | undefined) => (flag === undefined ? null : resolve(cwd, flag))
  const files = { tlsCert: path(flags.tlsCert), tlsKey: path(flags.tlsKey) }
  const place = { port: port ?? DEFAULTS.port, dataDir: resolve(cwd, flags.data ?? DEFAULTS.data) }
  const config = { ...read, ...files, ...place }
  const objection = objectionTo({ ...config, open: false })
  if (objection !== undefined) throw new UsageError(objection)
  return config
}

const listening = ({ url, address, dataDir }: Exchange): string =>
  `${JSON.stringify({ event: 'listening', url, address, data: dataDir, pid: process.pid })}\n`

const greeting = ({ url, address, dataDir }: Exchange, terminal: Terminal): string =>
  `${paint('bold', `cacpd exchange listens at ${url}`, terminal)}
  data      ${dataDir}

Tell daemons of it:
  ${terminal.self} start --adp-exchange ${address} --register-adp
Stop with Ctrl-C.
`
