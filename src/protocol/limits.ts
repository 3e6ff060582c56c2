const KIB = 1024
const MIB = 1024 * KIB

/** The limits that every input meets; those that an operator may change are in the configuration. */
export const LIMITS = {
  /** Characters of JSON of one contract's or packet's content. */
  contentLength: 256 * KIB,
  bodyBytes: MIB,
  peerBodyBytes: 8 * MIB,
  fileBytes: 10 * MIB,
  /** A list answer is cut and marked `truncated` past this. */
  answerBytes: MIB,
  /** The same limit for a whole project, because some clients do not know pages. */
  projectBytes: 8 * MIB,
  /** All answers of a batch together. */
  batchAnswerBytes: 64 * MIB,
  /** For answers of peers: bytes, and values, which take the time; as many as our own longest answer can have. */
  foreignAnswer: { bytes: 64 * MIB, values: 7_000_000, depth: 128 },
  /** An agent card or another small document of a peer. */
  foreignDocument: { bytes: MIB, values: 1_000_000, depth: 128 },
  /** Repos, contracts and packets that come with a project in one call. */
  projectParts: 1000,
  batchItems: 50,
  peerBatchItems: 500,
  /** Statements that one daemon sends to another in one call. */
  statements: 500,
  /** Statements of one key in a project; daemons refuse more of them, and no other key is affected. */
  keyStatements: 100_000,
  keyBytes: 128 * MIB,
  /** A reserve of these, with which a key can still be replaced. */
  keySpare: { statements: 1000, bytes: MIB },
  /** Of these, those on who speaks for which repo, and which repos there are: each is checked with all others. */
  keyClaims: 1000,
  /** Unconfirmed keys in a project: anybody can make any number of them. */
  unconfirmedKeys: 500,
  depth: 64,
  headerBytes: 16 * KIB,
  headers: 100,
  nameLength: 200,
  textLength: 20_000,
  listItems: 200,
  repos: 200,
  /** Most contracts and packets that receipts are recorded for per answer, the newest. */
  receiptItems: 2000,
  pageItems: 1000,
  clockAheadSeconds: 300,
  pendingPeers: 100,
  pendingPeerSeconds: 24 * 60 * 60,
  peers: 1000,
  /** Keys that one peer may replace before it has to be paired again. */
  formerKeys: 1000,
  /** Unused invites. */
  invites: 100,
  inviteSeconds: 30 * 24 * 60 * 60,
  /** API keys of one peer: the one in use, the next one, and those that may not have arrived. */
  liveKeys: 4,
  /** How long a key keeps working after a newer one was issued. */
  keyOverlapSeconds: 24 * 60 * 60,
  /** The longest lifetime of a project token. */
  tokenSeconds: 24 * 60 * 60,
  tokens: 1000,
  /** Sessions of people in browsers; beyond that, the one that was not used for longest ends. */
  uiSessions: 100,
  /** How long such a session lasts without being used, and at most. */
  uiSessionIdleSeconds: 7 * 24 * 60 * 60,
  uiSessionSeconds: 30 * 24 * 60 * 60,
  /** Codes by which such a session can begin, and how long each can be used. */
  loginCodes: 100,
  loginCodeSeconds: 60,
  idempotencyKeyLength: 200,
  idempotencySeconds: 24 * 60 * 60,
} as const
