import { isIP } from 'node:net'
import { z } from 'zod'
import { Aid } from '../protocol/agent/aid.ts'
import { Capabilities } from '../protocol/agent/capability.ts'
import { AgentSettings } from '../protocol/agent/settings.ts'
import { AgentType } from '../protocol/chiffon/envelope.ts'
import { ChiffonTokens } from '../protocol/chiffon/tokens.ts'
import { LIMITS } from '../protocol/limits.ts'
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

/** Everything that can be configured. The description of each completes the sentence "… must be". */
export const Settings = z.object({
  /** The repository of this daemon, as its projects name it. */
  repo: name,
  /** backend | frontend | mobile | shared | infra | devops, or another word. */
  role: name,
  language: name,
  /** The agent that local callers act as. */
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
  /** The URL for other daemons, if other machines can reach this one. */
  publicUrl: z
    .string()
    .refine(isHttpsOrigin)
    .nullable()
    .default(null)
    .describe('an https URL without a path, such as https://laptop.example:8080'),
  /** PEM files. Without them, a daemon that others can call makes a self-signed certificate. */
  tlsCert: path,
  tlsKey: path,
  /** Accepts callers on this machine without a key. */
  open: z.boolean().default(false).describe('true or false'),
  /** The ADP exchange: no other is ever called, and none while this is null. */
  adpExchange: z
    .string()
    .refine(isExchange)
    .nullable()
    .default(null)
    .describe(
      'an http(s) URL such as https://exchange.example (#SHA-256 of its certificate, if that is to be pinned)',
    ),
  /** Registers with it at the start, and renews that. */
  registerAdp: z.boolean().default(false).describe('true or false'),
  /** The same, and does not serve before that has succeeded. */
  requireAdp: z.boolean().default(false).describe('true or false'),
  /** Lets agents that are registered with the exchange read. */
  allowKnown: z.boolean().default(false).describe('true or false'),
  adpRenewHours: wholeNumber(1, 720, 12),
  /** How long a call to the exchange may take. */
  adpCallSeconds: wholeNumber(1, 600, 10),
  logLevel: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(`one of ${LOG_LEVELS.join(', ')}`),
  /** Web pages that may call the daemon. */
  allowedOrigins: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value),
      z.array(z.string().refine(isOrigin)),
    )
    .default([])
    .describe('web origins such as https://example.com:8443, without a path (several: separated by commas)'),
  /** The size limit of the store: snapshot, journals and files together. */
  quotaBytes: wholeNumber(MIB, 1024 * 1024 * MIB, 512 * MIB),
  /** How many bytes all files of one caller may have together; local callers have no such limit. */
  fileBytesPerCaller: wholeNumber(1024, 1024 * 1024 * MIB, 128 * MIB),
  /** How long a file that no packet names is kept. */
  unnamedFileSeconds: wholeNumber(1, 366 * 86_400, 86_400),
  /** The journal is compacted into the snapshot when it is larger than this and larger than the snapshot. */
  compactBytes: wholeNumber(4096, 1024 * 1024 * MIB, 64 * MIB),
  /** The size limit of the audit trail; the oldest lines are removed. */
  auditBytes: wholeNumber(64 * 1024, 1024 * MIB, 64 * MIB),
  /** How long a stop waits for running requests. */
  shutdownSeconds: wholeNumber(0, 3600, 5),
  /** How often this daemon compares its state with that of a randomly chosen peer. */
  peerRepairSeconds: wholeNumber(1, 86_400, 30),
  peerCallSeconds: wholeNumber(1, 600, 30),
  /** The waits before a failed call to a peer is repeated; after the last one come the pauses. */
  peerRetrySeconds: z
    .preprocess(
      (value) =>
        typeof value === 'string' ? value.split(',').map((one) => numberFromText(one.trim())) : value,
      z.array(z.int().min(0).max(3600)).min(1).max(20),
    )
    .default([0, 1, 2, 4])
    .describe('1 to 20 whole numbers from 0 to 3600 (separated by commas)'),
  /** The pause after that many failures, before the peer's health is checked. */
  peerPauseSeconds: wholeNumber(1, 86_400, 60),
  /** How often, at most, receipts for what the agents here were shown are written and sent to the peers. */
  receiptSeconds: wholeNumber(0, 3600, 2),
  /** Calls a minute, a sixth of which may come at once: of one key, … */
  ratePerKey: wholeNumber(1, MOST_CALLS, 60_000),
  /** … of one address in all, … */
  ratePerAddress: wholeNumber(1, MOST_CALLS, 60_000),
  /** … of callers at one address without a valid key, … */
  ratePerStranger: wholeNumber(1, MOST_CALLS, 1200),
  /** … and of those among them that want to pair or register. */
  ratePairing: wholeNumber(1, MOST_CALLS, 30),
  maxConnections: wholeNumber(10, 100_000, 1000),
  maxConnectionsPerAddress: wholeNumber(1, 100_000, 100),
  /** How long a caller may take to send its headers, and its whole request. */
  headerSeconds: wholeNumber(1, 3600, 10),
  requestSeconds: wholeNumber(1, 3600, 60),
  /** How many bytes of answers may wait in memory to be read: of one caller, and of all callers. */
  unreadBytesPerCaller: wholeNumber(64 * 1024, 1024 * MIB, 64 * MIB),
  unreadBytes: wholeNumber(64 * 1024, 16 * 1024 * MIB, 256 * MIB),
  /** How long a connection may read nothing of what waits for it. */
  unreadSeconds: wholeNumber(1, 3600, 30),
  /** The type of this agent in the Chiffon protocol. */
  chiffonAgent: AgentType.default('code').describe(`one of ${AgentType.options.join(', ')}`),
  /** Orchestrators that are no cacpd, and the tokens they send: secrets, which are never printed. */
  chiffonTokens: ChiffonTokens,
  /** How long an agent that works for us may be silent, unless a hint allows more. */
  workSilenceSeconds: wholeNumber(1, 7 * 86_400, 30),
  /** The command that does the runs; without one the librarian answers. */
  agent: AgentSettings,
  /** What can be asked for at /v1/assist; the first one applies when a request names none. */
  capabilities: Capabilities,
  /** After this long without an event, a stream gets a comment, which shows that the connection is alive. */
  streamCommentSeconds: wholeNumber(1, 3600, 15),
  /** How many readers may follow the changes at the same time. */
  feedReaders: wholeNumber(1, 100_000, 200),
  /** How often an MCP client that asked for progress is notified during a call. */
  mcpProgressSeconds: wholeNumber(1, 60, 10),
  /**
   * Percent of the time that is spent after a start on building search and inbox; 0: they are built when first
   * needed.
   */
  warmUpPercent: wholeNumber(0, 100, 10),
  /**
   * How many callers may wait for something at the same time; those of other daemons get at most half of the places.
   */
  waitsAtOnce: wholeNumber(1, 100_000, 2000),
  /** How long an inbox item is taken for when the session does not say. */
  takeMinutes: wholeNumber(1, 1440, 30),
  /** How many runs may be active at the same time. */
  runsAtOnce: wholeNumber(1, 10_000, 200),
  /** How long a run may take; its request may allow less. */
  runSeconds: wholeNumber(1, 7 * 86_400, 1800),
  /** After this long without output, a run reports that it is still active. */
  runHeartbeatSeconds: wholeNumber(1, 3600, 15),
  /** A run that is only wanted by its reader is canceled when nobody has followed it for this long. */
  runUnwatchedSeconds: wholeNumber(0, 86_400, 5),
  /** How many bytes the events of one run may have. */
  runBytes: wholeNumber(4096, 1024 * MIB, 32 * MIB),
  /** Ended runs are removed, oldest first, beyond this number, age or size. */
  runsKept: wholeNumber(1, 100_000, 2000),
  runsKeptSeconds: wholeNumber(1, 366 * 86_400, 7 * 86_400),
  runsKeptBytes: wholeNumber(MIB, 1024 * 1024 * MIB, 128 * MIB),
})

export type Settings = z.output<typeof Settings>
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
  'chiffonTokens',
])
/** Settings that are never printed, not even when they are invalid. */
export const SECRET: ReadonlySet<Key> = new Set<Key>(['chiffonTokens'])

function isExchange(text: string): boolean {
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) return false
  const { username, search, hash } = new URL(text)
  return username === '' && search === '' && /^(?:#[0-9a-f]{64})?$/i.test(hash)
}

function isHttpsOrigin(text: string): boolean {
  return isOrigin(text) && text.startsWith('https:')
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text
}
