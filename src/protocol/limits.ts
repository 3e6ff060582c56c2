const KIB = 1024
const MIB = 1024 * KIB

/** The bounds that every input meets; the ones an operator may move are in the configuration. */
export const LIMITS = {
  /** Characters of JSON of one contract's or packet's content. */
  contentLength: 256 * KIB,
  bodyBytes: MIB,
  peerBodyBytes: 8 * MIB,
  fileBytes: 10 * MIB,
  /** A list answer is cut and marked `truncated` past this. */
  answerBytes: MIB,
  /** The same of a whole project, for which there are clients that know no pages. */
  projectBytes: 8 * MIB,
  /** All answers of a batch together. */
  batchAnswerBytes: 64 * MIB,
  /** What peers answer: in bytes, and in values, which take the time; as many as our own longest answer can have. */
  foreignAnswer: { bytes: 64 * MIB, values: 7_000_000, depth: 128 },
  /** A card or another small document of theirs. */
  foreignDocument: { bytes: MIB, values: 1_000_000, depth: 128 },
  /** Repos, contracts and packets that come with a project in one call. */
  projectParts: 1000,
  batchItems: 50,
  peerBatchItems: 500,
  /** Statements that one daemon hands to another in one call. */
  statements: 500,
  /** All that one key may say in a project; nobody takes more of it, and nobody else is affected. */
  keyStatements: 100_000,
  keyBytes: 128 * MIB,
  /** Of these, what a daemon leaves unsaid, so that its key can still give way to another one. */
  keySpare: { statements: 1000, bytes: MIB },
  /** Of these, those on who speaks for which repo, and which repos there are: each is looked at with all others. */
  keyClaims: 1000,
  /** Keys in a project that nobody has confirmed: anybody can make any number of them. */
  unconfirmedKeys: 500,
  depth: 64,
  headerBytes: 16 * KIB,
  headers: 100,
  nameLength: 200,
  textLength: 20_000,
  listItems: 200,
  repos: 200,
  /** How many things a receipt tells of, the newest. */
  receiptItems: 2000,
  pageItems: 1000,
  clockAheadSeconds: 300,
  pendingPeers: 100,
  pendingPeerSeconds: 24 * 60 * 60,
  peers: 1000,
  /** Keys that one peer may replace before it has to be paired again. */
  formerKeys: 1000,
  /** Invites that somebody may still use. */
  invites: 100,
  inviteSeconds: 30 * 24 * 60 * 60,
  /** Of one peer: the one in use, the next one, and those of which nobody knows whether they arrived. */
  liveKeys: 4,
  /** How long a key goes on working after a newer one was handed out. */
  keyOverlapSeconds: 24 * 60 * 60,
  /** The longest life of a project token. */
  tokenSeconds: 24 * 60 * 60,
  tokens: 1000,
  idempotencyKeyLength: 200,
  idempotencySeconds: 24 * 60 * 60,
} as const
