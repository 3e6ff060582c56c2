import type { Key } from '../src/config/settings.ts'

export const GROUPS = [
  'This repository',
  'Where it listens, and who may call',
  'Finding agents (ADP)',
  'The store',
  'Peers',
  'How much callers may do',
  'The agent and its runs',
  'What agents follow and wait for',
  'Starting, stopping and logging',
] as const

/** What a person has to know of a setting beside what its schema says. */
export interface SettingWords {
  readonly group: (typeof GROUPS)[number]
  readonly meaning: string
  /** Where the default is no value but a rule, or too long to show. */
  readonly byDefault?: string
}

const [REPOSITORY, DOOR, ADP, STORE, PEERS, LIMITS, AGENT, SEAT, PROCESS] = GROUPS
const GUESSED = 'what was given at the last start; else guessed from the git remote and the files'
const OF_OTHERS =
  'callers other than the operator (and, with `open`, programs on this machine) have half of the places at most'

/** A setting without words does not compile. */
export const SETTING_WORDS: Readonly<Record<Key, SettingWords>> = {
  repo: { group: REPOSITORY, meaning: 'name of the repository', byDefault: GUESSED },
  role: {
    group: REPOSITORY,
    meaning: '`backend`, `frontend`, `mobile`, `shared`, `infra`, `devops` or another word',
    byDefault: GUESSED,
  },
  language: { group: REPOSITORY, meaning: 'main language', byDefault: GUESSED },
  agentId: {
    group: REPOSITORY,
    meaning: 'the agent that callers on this machine act as',
    byDefault: 'that of the last start; else `aid://<host>/<repo>@1.0.0`',
  },
  host: {
    group: DOOR,
    meaning:
      'address to listen at; others than loopback need `publicUrl`, see [security](security.md#beyond-this-machine)',
  },
  port: {
    group: DOOR,
    meaning: 'port; 0 is any free one',
    byDefault: 'the port of the last start, or the first free one from 8080',
  },
  publicUrl: {
    group: DOOR,
    meaning: 'URL by which other machines reach this daemon',
    byDefault: 'none: only this machine can call',
  },
  tlsCert: {
    group: DOOR,
    meaning: 'certificate chain in PEM',
    byDefault: 'none: a certificate of its own, where one is needed',
  },
  tlsKey: { group: DOOR, meaning: 'the key of the certificate, in PEM' },
  open: { group: DOOR, meaning: 'lets callers on this machine in without a key' },
  allowedOrigins: {
    group: DOOR,
    meaning: 'web pages that may call the daemon',
    byDefault: 'none: no web page may call',
  },
  ui: {
    group: DOOR,
    meaning:
      'the dashboard for people, see [ui](ui.md); `false` for none. `remote` lets people at other machines in, by `publicUrl`; `basePath` is the path at which a proxy shows this daemon',
    byDefault: '`{}`: for people at this machine',
  },
  chiffonTokens: {
    group: DOOR,
    meaning: 'orchestrators of the [Chiffon](protocols/chiffon.md) protocol that are let in by a token',
  },
  adpExchange: {
    group: ADP,
    meaning: 'the [ADP exchange](adp.md); no other is ever called',
    byDefault: 'none: nothing calls out',
  },
  registerAdp: { group: ADP, meaning: 'registers there at every start, and keeps that up' },
  requireAdp: { group: ADP, meaning: 'the same, and does not start if the first registration fails' },
  allowKnown: {
    group: ADP,
    meaning: 'lets agents read that are registered there and prove it, without a key',
  },
  adpRenewHours: { group: ADP, meaning: 'how often the registration is renewed' },
  adpCallSeconds: { group: ADP, meaning: 'how long a call to the exchange may take' },
  quotaBytes: { group: STORE, meaning: 'what snapshot, journal and files together may take' },
  fileBytesPerCaller: {
    group: STORE,
    meaning:
      'what all files together may take that one peer or token brought, each counted as 1 KiB at least',
  },
  treeSeconds: {
    group: STORE,
    meaning:
      'how often the declared files of this repository are looked at: whether they are as they were verified',
  },
  unnamedFileSeconds: { group: STORE, meaning: 'how long a file is kept that no packet names' },
  compactBytes: {
    group: STORE,
    meaning: 'the journal is moved into the snapshot when it is larger than this, and than the snapshot',
  },
  auditBytes: { group: STORE, meaning: 'what the audit trail may take in all; the oldest lines give way' },
  peerRepairSeconds: { group: PEERS, meaning: 'how often states are compared with a peer, chosen by chance' },
  peerCallSeconds: { group: PEERS, meaning: 'how long a call to a peer may take' },
  peerRetrySeconds: { group: PEERS, meaning: 'the waits before a failed call to a peer is tried again' },
  peerPauseSeconds: {
    group: PEERS,
    meaning: 'the pause after those, before the health of the peer is looked at; chance adds up to a fifth',
  },
  receiptSeconds: {
    group: PEERS,
    meaning: 'how often at most peers are told what the agents here were shown',
  },
  hub: {
    group: PEERS,
    meaning:
      'the [hub](hub.md) of the organisation, which `cacpd hub connect` sets: a URL alone, or `url` with `org`, `creds` or `nkey`, `tlsCa` and `members`',
    byDefault: 'none: nothing is carried by a hub',
  },
  workSilenceSeconds: {
    group: PEERS,
    meaning: 'how long an agent that works for us may say nothing, unless a hint allows more',
  },
  ratePerKey: { group: LIMITS, meaning: 'calls a minute of one key; a sixth of them may come at once' },
  ratePerAddress: {
    group: LIMITS,
    meaning: 'calls a minute of one address in all; a sixth of them may come at once',
  },
  ratePerStranger: {
    group: LIMITS,
    meaning: 'calls a minute of those at one address who show no valid key',
  },
  ratePairing: { group: LIMITS, meaning: 'calls a minute of those among them who want to pair or register' },
  maxConnections: { group: LIMITS, meaning: 'connections at the same time' },
  maxConnectionsPerAddress: { group: LIMITS, meaning: 'connections at the same time from one address' },
  headerSeconds: { group: LIMITS, meaning: 'how long a caller may take to send its headers' },
  requestSeconds: { group: LIMITS, meaning: 'how long a caller may take to send its whole request' },
  unreadBytesPerCaller: {
    group: LIMITS,
    meaning: 'answers that wait in memory to be read, of one caller',
  },
  unreadBytes: { group: LIMITS, meaning: 'answers that wait in memory to be read, of all callers' },
  unreadSeconds: {
    group: LIMITS,
    meaning: 'a connection that takes nothing of its answer for so long is closed',
  },
  agent: {
    group: AGENT,
    meaning: 'the [command](agent.md#your-own-command) that does what this repository’s agent is asked for',
    byDefault: 'none: the librarian answers',
  },
  capabilities: {
    group: AGENT,
    meaning: 'what can be asked for at [`/v1/assist`](protocols/coreason.md)',
    byDefault: '`answer_question`, `summarize_project`, `check_contract`, `echo`',
  },
  chiffonAgent: {
    group: AGENT,
    meaning: 'which of the agents of the [Chiffon](protocols/chiffon.md) protocol this one is',
  },
  runsAtOnce: { group: AGENT, meaning: 'runs at work at the same time' },
  runSeconds: { group: AGENT, meaning: 'how long a run may take; whoever asks may allow less' },
  runHeartbeatSeconds: {
    group: AGENT,
    meaning: 'a run that was silent for so long tells that it is still at work',
  },
  runUnwatchedSeconds: {
    group: AGENT,
    meaning: 'a streamed answer that nobody has read for so long is canceled',
  },
  runBytes: { group: AGENT, meaning: 'what one run may say in all' },
  runsKept: { group: AGENT, meaning: 'ended runs that are kept; the oldest are forgotten first' },
  runsKeptSeconds: { group: AGENT, meaning: 'how long an ended run is kept' },
  runsKeptBytes: { group: AGENT, meaning: 'what all ended runs together may take' },
  streamCommentSeconds: {
    group: SEAT,
    meaning: 'after so much silence a stream has a comment, which shows that it still stands',
  },
  feedReaders: {
    group: SEAT,
    meaning: `readers that follow \`GET /events\` at the same time; ${OF_OTHERS}`,
  },
  waitsAtOnce: { group: SEAT, meaning: `callers of \`cacp/wait\` at the same time; ${OF_OTHERS}` },
  takeMinutes: {
    group: SEAT,
    meaning: 'how long an inbox item belongs to the session that took it and did not say how long',
  },
  escalateMinutes: {
    group: SEAT,
    meaning:
      'how old an item of the agent’s inbox, or a conflict, may be before a person is told that it is overdue (`cacpd person`)',
  },
  mcpProgressSeconds: {
    group: SEAT,
    meaning: 'how often a client of `/mcp` that wants to know hears that a call is still at work',
  },
  warmUpPercent: {
    group: SEAT,
    meaning:
      'percent of its time that a daemon takes after the start to get search and inbox ready; 0: only when they are first asked',
  },
  shutdownSeconds: { group: PROCESS, meaning: 'how long a stop waits for what is in flight' },
  logLevel: { group: PROCESS, meaning: 'which lines the log has' },
}
