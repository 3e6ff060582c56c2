import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { objectionTo } from '../../config/exposure.ts'
import { isHttpsOrigin, Settings } from '../../config/settings.ts'
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

const OPTIONS = {
  '--host <host>': 'address to listen at; others than loopback need --public-url (default: 127.0.0.1)',
  '--public-url <url>': 'https URL by which other machines reach it',
  '--tls-cert <file>': 'certificate chain in PEM (default: one of our own, where it is needed)',
  '--tls-key <file>': 'its key in PEM',
  '--port <port>': 'port; 0 for any free one (default: 8090)',
  ...dataDirectory('data directory (default: .cacp-exchange)'),
  '--json': 'print one JSON line when listening',
  '--log-level <level>': 'fatal, error, warn, info, debug, trace or silent (default: info)',
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

const Flags = z.object({
  host: z
    .string()
    .refine((host) => host === 'localhost' || isIP(host) !== 0, 'must be an IP address or localhost')
    .default('127.0.0.1'),
  port: z.coerce
    .number()
    .pipe(z.int('must be a whole number from 0 to 65535').min(0).max(65_535))
    .default(DEFAULTS.port),
  publicUrl: z.string().refine(isHttpsOrigin, 'must be an https URL without a path').nullable().default(null),
  logLevel: Settings.shape.logLevel,
})

function configOf(flags: Given<Record<never, never>, typeof OPTIONS>, { cwd }: Terminal): ExchangeConfig {
  const read = readAs(Flags, flags, ({ field, problem }) => new UsageError(`--${kebab(field)}: ${problem}`))
  const path = (flag: string | undefined) => (flag === undefined ? null : resolve(cwd, flag))
  const files = { tlsCert: path(flags.tlsCert), tlsKey: path(flags.tlsKey) }
  const config = { ...read, ...files, dataDir: resolve(cwd, flags.data ?? DEFAULTS.data) }
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
