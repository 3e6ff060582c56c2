import { type DestinationStream, type Logger, pino } from 'pino'
import { Fault } from '../../protocol/fault.ts'

/** Fields that are never logged, at any depth. */
const SECRET_FIELDS = [
  'authorization',
  'x-project-token',
  'cookie',
  'key',
  'apiKey',
  'operatorKey',
  'tlsKey',
  'token',
  'secret',
  'proof',
  'd',
]
const DEPTHS = ['', '*.', '*.*.', '*.*.*.']
const CENSOR = '[secret]'

/** Secrets inside of other text, such as a message or a URL, which are recognized by their form. */
const SECRETS: readonly (readonly [looks: RegExp, shown: string])[] = [
  [/\b(cacp_(?:op|sk_live)_)[\w-]+/g, `$1${CENSOR}`],
  [/\beyJ[\w-]{8,}\.[\w-]*\.[\w-]*/g, CENSOR],
  [/(\/pair#)[\w.-]+/g, `$1${CENSOR}`],
  [/(\bBearer\s+)[\w.~+/=-]+/gi, `$1${CENSOR}`],
  [/(\\*"d\\*":\s*\\*")[\w-]{43}/g, `$1${CENSOR}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----/g, CENSOR],
]

export const withoutSecrets = (text: string): string =>
  SECRETS.reduce((left, [looks, shown]) => left.replace(looks, shown), text)

/** The log of the process, on stderr. Secrets in it are replaced. */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_FIELDS.flatMap((name) => DEPTHS.map((depth) => pathOf(depth, name))),
        censor: CENSOR,
      },
      hooks: { streamWrite: withoutSecrets },
    },
    destination,
  )
}

export const reportTo =
  (log: Pick<Logger, 'error'>) =>
  (error: unknown): void =>
    log.error({ err: Fault.from(error).cause ?? error }, 'unexpected failure')

const pathOf = (depth: string, name: string): string =>
  /^\w+$/.test(name) ? `${depth}${name}` : `${depth.slice(0, -1)}["${name}"]`
