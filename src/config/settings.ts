import { isIP } from 'node:net'
import * as z from 'zod'
import { Aid } from '../protocol/agent/aid.ts'
import { Capabilities } from '../protocol/agent/capability.ts'
import { AgentSettings } from '../protocol/agent/settings.ts'
import { AgentType } from '../protocol/chiffon/envelope.ts'
import { ChiffonTokens } from '../protocol/chiffon/tokens.ts'
import { HubSettings } from '../protocol/hub-settings.ts'
import { LIMITS } from '../protocol/limits.ts'
import { UiSettings } from '../protocol/ui-settings.ts'
import { Name } from '../protocol/words.ts'

const MIB = 1024 * 1024
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Flags and environment contain text; a file contains the value itself. */
const numberFromText = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value

const wholeNumber = (least: number, most: number, byDefault: number) =>
  z
    .preprocess(numberFromText, z.int().min(least).max(most))
    .default(byDefault)
    .describe(`a whole number from ${least} to ${most}`)

const MOST_CALLS = 1_000_000_000

const path = z.string().min(1).nullable().default(null).describe('the path of a file')

const name = Name.describe(
  `text of 1 to ${LIMITS.nameLength} characters, none of them a control character or a mark of writing direction`,
)

/**
 * Everything that can be configured. What each setting means is written in `docs/settings-words.ts`; the description of
 * each here completes the sentence "… must be".
 */
export const Settings = z.object({
  repo: name,
  role: name,
  language: name,
  agentId: Aid.describe('an agent ID such as aid://example.com/backend-agent@1.0.0'),
  host: z
    .string()
    .refine((host) => host === 'localhost' || isIP(host) !== 0)
    .default('127.0.0.1')
    .describe('an IP address (127.0.0.1, ::1, 0.0.0.0, …) or localhost'),
  /** null: the port of the last start, or else 8080 or the next free one. 0: any free port. */
  port: z
    .preprocess(numberFromText, z.int().min(0).max(65_535).nullable())
    .default(null)
    .describe('a whole number from 0 to 65535'),
  publicUrl: z
    .string()
    .refine(isHttpsOrigin)
    .nullable()
    .default(null)
    .describe('an https URL without a path, such as https://laptop.example:8080'),
  tlsCert: path,
  tlsKey: path,
  open: z.boolean().default(false).describe('true or false'),
  adpExchange: z
    .string()
    .refine(isExchange)
    .nullable()
    .default(null)
    .describe(
      'an http(s) URL such as https://exchange.example (#SHA-256 of its certificate, if that is to be pinned)',
    ),
  registerAdp: z.boolean().default(false).describe('true or false'),
  requireAdp: z.boolean().default(false).describe('true or false'),
  allowKnown: z.boolean().default(false).describe('true or false'),
  adpRenewHours: wholeNumber(1, 720, 12),
  adpCallSeconds: wholeNumber(1, 600, 10),
  logLevel: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(`one of ${LOG_LEVELS.join(', ')}`),
  allowedOrigins: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value),
      z.array(z.string().refine(isOrigin)),
    )
    .default([])
    .describe('web origins such as https://example.com:8443, without a path (several: separated by commas)'),
  ui: UiSettings,
  quotaBytes: wholeNumber(MIB, 1024 * 1024 * MIB, 512 * MIB),
  fileBytesPerCaller: wholeNumber(1024, 1024 * 1024 * MIB, 128 * MIB),
  treeSeconds: wholeNumber(1, 86_400, 60),
  unnamedFileSeconds: wholeNumber(1, 366 * 86_400, 86_400),
  compactBytes: wholeNumber(4096, 1024 * 1024 * MIB, 64 * MIB),
  auditBytes: wholeNumber(64 * 1024, 1024 * MIB, 64 * MIB),
  shutdownSeconds: wholeNumber(0, 3600, 5),
  peerRepairSeconds: wholeNumber(1, 86_400, 30),
  peerCallSeconds: wholeNumber(1, 600, 30),
  peerRetrySeconds: z
    .preprocess(
      (value) =>
        typeof value === 'string' ? value.split(',').map((one) => numberFromText(one.trim())) : value,
      z.array(z.int().min(0).max(3600)).min(1).max(20),
    )
    .default([0, 1, 2, 4])
    .describe('1 to 20 whole numbers from 0 to 3600 (separated by commas)'),
  peerPauseSeconds: wholeNumber(1, 86_400, 60),
  receiptSeconds: wholeNumber(0, 3600, 2),
  hub: HubSettings,
  ratePerKey: wholeNumber(1, MOST_CALLS, 60_000),
  ratePerAddress: wholeNumber(1, MOST_CALLS, 60_000),
  ratePerStranger: wholeNumber(1, MOST_CALLS, 1200),
  ratePairing: wholeNumber(1, MOST_CALLS, 30),
  maxConnections: wholeNumber(10, 100_000, 1000),
  maxConnectionsPerAddress: wholeNumber(1, 100_000, 100),
  headerSeconds: wholeNumber(1, 3600, 10),
  requestSeconds: wholeNumber(1, 3600, 60),
  unreadBytesPerCaller: wholeNumber(64 * 1024, 1024 * MIB, 64 * MIB),
  unreadBytes: wholeNumber(64 * 1024, 16 * 1024 * MIB, 256 * MIB),
  unreadSeconds: wholeNumber(1, 3600, 30),
  chiffonAgent: AgentType.default('code').describe(`one of ${AgentType.options.join(', ')}`),
  /** Orchestrators that are no cacpd, and the tokens they send: secrets, which are never printed. */
  chiffonTokens: ChiffonTokens,
  workSilenceSeconds: wholeNumber(1, 7 * 86_400, 30),
  agent: AgentSettings,
  capabilities: Capabilities,
  streamCommentSeconds: wholeNumber(1, 3600, 15),
  feedReaders: wholeNumber(1, 100_000, 200),
  mcpProgressSeconds: wholeNumber(1, 60, 10),
  warmUpPercent: wholeNumber(0, 100, 10),
  waitsAtOnce: wholeNumber(1, 100_000, 2000),
  takeMinutes: wholeNumber(1, 1440, 30),
  escalateMinutes: wholeNumber(1, 43_200, 60),
  runsAtOnce: wholeNumber(1, 10_000, 200),
  runSeconds: wholeNumber(1, 7 * 86_400, 1800),
  runHeartbeatSeconds: wholeNumber(1, 3600, 15),
  runUnwatchedSeconds: wholeNumber(0, 86_400, 5),
  runBytes: wholeNumber(4096, 1024 * MIB, 32 * MIB),
  runsKept: wholeNumber(1, 100_000, 2000),
  runsKeptSeconds: wholeNumber(1, 366 * 86_400, 7 * 86_400),
  runsKeptBytes: wholeNumber(MIB, 1024 * 1024 * MIB, 128 * MIB),
})

export type Settings = z.output<typeof Settings>
/** The settings that count where nobody sets another value. */
export const DEFAULTS = Settings.omit({ repo: true, role: true, language: true, agentId: true }).parse({})
export type Key = keyof Settings
export const KEYS = Settings.keyof().options
/**
 * Settings that open the daemon to others, or announce it. A cloned repository may contain settings, so these count
 * in its own file only after the operator approved them (`cacpd config trust`).
 */
export const NEEDS_TRUST: ReadonlySet<Key> = new Set<Key>([
  'host',
  'publicUrl',
  'tlsCert',
  'tlsKey',
  'open',
  'adpExchange',
  'registerAdp',
  'requireAdp',
  'allowKnown',
  'allowedOrigins',
  'ui',
  'chiffonTokens',
  'hub',
])
/** Settings that are never printed, not even when they are invalid. */
export const SECRET: ReadonlySet<Key> = new Set<Key>(['chiffonTokens'])

function isExchange(text: string): boolean {
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) return false
  const { username, search, hash } = new URL(text)
  return username === '' && search === '' && /^(?:#[0-9a-f]{64})?$/i.test(hash)
}

export function isHttpsOrigin(text: string): boolean {
  return isOrigin(text) && text.startsWith('https:')
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text
}
