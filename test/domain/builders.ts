import { fileNamedIn } from '../../src/domain/files/shared-file.ts'
import type { OrderedTable, ProjectView, View } from '../../src/domain/view.ts'
import type {
  ClaimEntity,
  ContractEntity,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
} from '../../src/domain/views/entities.ts'
import { ProjectStatements } from '../../src/domain/views/project-statements.ts'
import { compareText } from '../../src/protocol/json/canonical.ts'
import { addMicros, type Stamp, stampOfMillis } from '../../src/protocol/stamp.ts'
import { Author } from './statements/author.ts'

/** Small values to talk about. What comes out of what agents say is told in story.ts. */

const BEGIN = Date.UTC(2026, 0, 1)

/** The stamp that many seconds into the story, and microseconds. */
export const at = (second: number, micros = 0): Stamp =>
  addMicros(stampOfMillis(BEGIN + second * 1000), micros)

export const BACKEND = 'repo-backend'
export const FRONTEND = 'repo-frontend'

export const project = (given: Partial<ProjectEntity> = {}): ProjectEntity => ({
  project_id: 'p1',
  name: 'Auth',
  objective: 'log in',
  archived: false,
  archived_by: undefined,
  visibility: 'all',
  created_at: at(0),
  created_by: 'aid://example.com/backend@1.0.0',
  founder: { project_id: 'p1', introduction: 'founding', since: at(0), key: 'key of the founder' },
  reported_by: undefined,
  updated_at: at(0),
  ...given,
})

export const repo = (given: Partial<RepoEntity> = {}): RepoEntity => ({
  repo_id: BACKEND,
  name: 'backend',
  shown_name: given.name ?? 'backend',
  role: 'backend',
  language: 'go',
  relevant_paths: [],
  url: null,
  endpoint: null,
  holder: undefined,
  claims: given.holder === undefined ? [] : [given.holder],
  namings: [],
  updated_at: at(0),
  ...given,
})

/** A claim that holds, by the key of the author of this name. */
export const claim = (agentId: string, given: Partial<ClaimEntity> = {}): ClaimEntity => {
  const { publicKey, key } = new Author(agentId)
  return {
    claim_id: `claim of ${agentId}`,
    agent_id: agentId,
    public_key: publicKey,
    endpoint: null,
    speaks_by: { project_id: 'p1', introduction: `claim of ${agentId}`, since: at(0), key },
    reported_by: undefined,
    claimed_at: at(0),
    released_at: undefined,
    is_confirmed: true,
    standing: 'holds',
    counts_until: null,
    is_restored: false,
    ...given,
  }
}

export const packet = (given: Partial<PacketEntity> = {}): PacketEntity => {
  const { agent_id = 'aid://example.com/backend@1.0.0', packet_id = 'k1', timestamp = at(0) } = given
  return {
    id: `said ${packet_id}`,
    packet_id,
    counts: true,
    repo_id: BACKEND,
    agent_id,
    timestamp,
    by_person: false,
    mark: undefined,
    reported_by: undefined,
    key: new Author(agent_id).key,
    type: 'decision',
    content: { text: 'we use JWT' },
    related_contracts: [],
    reply_to: null,
    redacted: null,
    updated_at: timestamp,
    ...given,
  }
}

export interface Parts {
  project?: ProjectEntity
  repos?: Iterable<RepoEntity>
  contracts?: Iterable<ContractEntity>
  packets?: Iterable<PacketEntity>
  /** The place of every contract's and packet's last change. */
  seq?: number
}

/** A project with its parts, as a decision sees it; nobody said anything. */
export function viewOf(parts: Parts = {}): ProjectView {
  const packets = orderedTableOf(parts.packets ?? [], {
    id: (one) => one.packet_id,
    created: (one) => one.timestamp,
  })
  return {
    ...EMPTY_PROJECT_VIEW,
    project: parts.project ?? project(),
    repos: orderedTableOf(parts.repos ?? [], { id: (one) => one.repo_id, created: (one) => one.name }),
    contracts: orderedTableOf(parts.contracts ?? [], {
      id: (one) => one.contract_id,
      created: (one) => one.created_at,
    }),
    packets,
    seqOf: () => parts.seq,
    repliesTo: (id) => [...packets.oldestFirst()].filter((one) => one.reply_to === id),
    packetsNaming: (sha256) => [...packets.oldestFirst()].filter((one) => fileNamedIn(one) === sha256),
  }
}

export function orderedTableOf<T>(
  items: Iterable<T>,
  { id, created }: { id: (item: T) => string; created: (item: T) => string },
): OrderedTable<T> {
  const sorted = [...items].sort((a, b) => compareText(created(a), created(b)) || compareText(id(a), id(b)))
  return {
    size: sorted.length,
    get: (wanted) => sorted.find((item) => id(item) === wanted),
    oldestFirst: (after) =>
      after === undefined ? sorted : sorted.slice(sorted.findIndex((item) => id(item) === after) + 1),
    newestFirst: () => [...sorted].reverse(),
    beginningWith: (prefix) => sorted.filter((item) => id(item).startsWith(prefix)),
  }
}

/** What the wire does to an object. */
export const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The same value, but any attempt to change it throws. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}

export const emptyShelf = orderedTableOf<never>([], { id: () => '', created: () => '' })

/** A daemon that holds nothing. */
export const EMPTY_VIEW: View = {
  projects: emptyShelf,
  peers: emptyShelf,
  links: emptyShelf,
  hubs: emptyShelf,
  shadows: emptyShelf,
  keys: emptyShelf,
  credentials: emptyShelf,
  invites: emptyShelf,
  tokens: emptyShelf,
  agents: emptyShelf,
  sessions: emptyShelf,
  guests: emptyShelf,
  acks: emptyShelf,
  usedTokens: emptyShelf,
  uploads: emptyShelf,
  namings: emptyShelf,
  currents: emptyShelf,
  projectsCalled: () => [],
  projectsNaming: () => [],
  answer: () => undefined,
  answers: () => [],
  fileSize: () => undefined,
}

const EMPTY_PROJECT_VIEW: ProjectView = {
  project: project(),
  repos: emptyShelf,
  contracts: emptyShelf,
  packets: emptyShelf,
  contractsCalled: () => [],
  questionsCalled: () => [],
  sightingsOf: () => [],
  repliesTo: () => [],
  packetsNaming: () => [],
  seqOf: () => undefined,
  newestAbout: () => undefined,
  said: new ProjectStatements(),
}
