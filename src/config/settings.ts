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

/** Flags and environment bring text; a file brings the value itself. */
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
  /** The repository this daemon speaks for, as its projects name it. */
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
  /** Where other daemons reach this one, if not only this machine does. */
  publicUrl: z
    .string()
    .refine(isHttpsOrigin)
    .nullable()
    .default(null)
    .describe('an https URL without a path, such as https://laptop.example:8080'),
  /** PEM files. Without them a daemon that others can call makes a certificate of its own. */
  tlsCert: path,
  tlsKey: path,
  /** Lets callers on this machine in without a key. */
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
  /** Registers with it at the start, and keeps that up. */
  registerAdp: z.boolean().default(false).describe('true or false'),
  /** The same, and does not serve before that has succeeded. */
  requireAdp: z.boolean().default(false).describe('true or false'),
  /** Lets agents read that the exchange knows. */
  allowKnown: z.boolean().default(false).describe('true or false'),
  /** How often the registration is renewed. */
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
  /** What the store may take in all: entities, stored answers and files. */
  quotaBytes: wholeNumber(MIB, 1024 * 1024 * MIB, 512 * MIB),
  /** What all files together may be that one caller brought, unless it is at home here. */
  fileBytesPerCaller: wholeNumber(1024, 1024 * 1024 * MIB, 128 * MIB),
  /** How long a file is kept that no packet names. */
  unnamedFileSeconds: wholeNumber(1, 366 * 86_400, 86_400),
  /** The journal is moved into the snapshot when it is larger than this, and than the snapshot. */
  compactBytes: wholeNumber(4096, 1024 * 1024 * MIB, 64 * MIB),
  /** What the audit trail may take in all; the oldest lines give way. */
  auditBytes: wholeNumber(64 * 1024, 1024 * MIB, 64 * MIB),
  /** How long a stop waits for what is in flight. */
  shutdownSeconds: wholeNumber(0, 3600, 5),
  /** How often this daemon compares its state with that of a peer, chosen by chance. */
  peerRepairSeconds: wholeNumber(1, 86_400, 30),
  /** How long a call to a peer may take. */
  peerCallSeconds: wholeNumber(1, 600, 30),
  /** The waits before a failed call to a peer is tried again; then come the pauses. */
  peerRetrySeconds: z
    .preprocess(
      (value) =>
        typeof value === 'string' ? value.split(',').map((one) => numberFromText(one.trim())) : value,
      z.array(z.int().min(0).max(3600)).min(1).max(20),
    )
    .default([0, 1, 2, 4])
    .describe('1 to 20 whole numbers from 0 to 3600 (separated by commas)'),
  /** The pause after as many failures, before the peer's health is looked at. */
  peerPauseSeconds: wholeNumber(1, 86_400, 60),
  /** How often at most it is written down, and told to the peers, what the agents here were shown. */
  receiptSeconds: wholeNumber(0, 3600, 2),
  /** Calls a minute, of which a sixth may come at once: of one key, … */
  ratePerKey: wholeNumber(1, MOST_CALLS, 60_000),
  /** … of one address in all, … */
  ratePerAddress: wholeNumber(1, MOST_CALLS, 60_000),
  /** … of those at one address who show no valid key, … */
  ratePerStranger: wholeNumber(1, MOST_CALLS, 1200),
  /** … and of those among them who want to pair or register. */
  ratePairing: wholeNumber(1, MOST_CALLS, 30),
  maxConnections: wholeNumber(10, 100_000, 1000),
  maxConnectionsPerAddress: wholeNumber(1, 100_000, 100),
  /** How long a caller may take to send its headers, and its whole request. */
  headerSeconds: wholeNumber(1, 3600, 10),
  requestSeconds: wholeNumber(1, 3600, 60),
  /** Bytes of answers that may wait in memory to be read: of one caller, and of all callers. */
  unreadBytesPerCaller: wholeNumber(64 * 1024, 1024 * MIB, 64 * MIB),
  unreadBytes: wholeNumber(64 * 1024, 16 * 1024 * MIB, 256 * MIB),
  /** How long a connection may take nothing of what waits for it. */
  unreadSeconds: wholeNumber(1, 3600, 30),
  /** Which of the agents of the Chiffon protocol this one is. */
  chiffonAgent: AgentType.default('code').describe(`one of ${AgentType.options.join(', ')}`),
  /** Orchestrators that are no cacpd, and the tokens they send: secrets, which are never shown. */
  chiffonTokens: ChiffonTokens,
  /** How long an agent that works for us may be silent, unless a hint allows more. */
  workSilenceSeconds: wholeNumber(1, 7 * 86_400, 30),
  /** The command that does what this repository's agent is asked for; without one the librarian answers. */
  agent: AgentSettings,
  /** What can be asked for at /v1/assist; the first one is meant when a request names none. */
  capabilities: Capabilities,
  /** A stream in which nothing is told for so long shows by a comment that it still stands. */
  streamCommentSeconds: wholeNumber(1, 3600, 15),
  /** Readers that follow the changes at the same time. */
  feedReaders: wholeNumber(1, 100_000, 200),
  /** How often an MCP client that wants to know hears that a call is still at work. */
  mcpProgressSeconds: wholeNumber(1, 60, 10),
  /** Percent of the time that search and inbox may take after a start to get ready; 0: when they are first asked. */
  warmUpPercent: wholeNumber(0, 100, 10),
  /** Callers that wait for something at the same time; those of other daemons have half of the places at most. */
  waitsAtOnce: wholeNumber(1, 100_000, 2000),
  /** How long an item of the inbox is a session's that took it and does not say. */
  takeMinutes: wholeNumber(1, 1440, 30),
  /** Runs at work at the same time. */
  runsAtOnce: wholeNumber(1, 10_000, 200),
  /** How long a run may take; its asker may allow less. */
  runSeconds: wholeNumber(1, 7 * 86_400, 1800),
  /** A run that is silent for so long tells that it is still at work. */
  runHeartbeatSeconds: wholeNumber(1, 3600, 15),
  /** How long nobody may follow a run that only its reader wanted, before it is canceled. */
  runUnwatchedSeconds: wholeNumber(0, 86_400, 5),
  /** What one run may tell in all. */
  runBytes: wholeNumber(4096, 1024 * MIB, 32 * MIB),
  /** Ended runs are forgotten, oldest first, when they are more, older or larger than these. */
  runsKept: wholeNumber(1, 100_000, 2000),
  runsKeptSeconds: wholeNumber(1, 366 * 86_400, 7 * 86_400),
  runsKeptBytes: wholeNumber(MIB, 1024 * 1024 * MIB, 128 * MIB),
})

export type Settings = z.output<typeof Settings>
export type Key = keyof Settings
export const KEYS = Settings.keyof().options
/**
 * What lets others in, or tells others of this daemon. A repository that is cloned may bring its settings along, so these
 * count in its own file only where somebody looked at them (`cacpd config trust`).
 */
export const OPENING: ReadonlySet<Key> = new Set<Key>([
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
/** What must not be shown, not even when it is wrong. */
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
