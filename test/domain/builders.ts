import { contractStamp, headOf, newContract, respond, revise } from '../../src/domain/contract.ts'
import {
  completeImplementation,
  startImplementation,
  verifyImplementations,
} from '../../src/domain/implementation.ts'
import type { Contract, Packet, Project, Receipt, Repo } from '../../src/domain/model.ts'
import { fileNamedIn } from '../../src/domain/shared-file.ts'
import type { ProjectView, Shelf, View } from '../../src/domain/view.ts'
import { compareText } from '../../src/protocol/canonical.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { addMicros, type Stamp, stampAfter, stampOfMillis } from '../../src/protocol/stamp.ts'
import type { ResponseAction, VerificationResult } from '../../src/protocol/words.ts'

/** Small values to talk about, and the domain's operations in as few words as possible. */

const BEGIN = Date.UTC(2026, 0, 1)

/** The stamp that many seconds into the story, and microseconds. */
export const at = (second: number, micros = 0): Stamp =>
  addMicros(stampOfMillis(BEGIN + second * 1000), micros)

export const BACKEND = 'repo-backend'
export const FRONTEND = 'repo-frontend'

export const project = (given: Partial<Project> = {}): Project => ({
  project_id: 'p1',
  name: { value: 'Auth', at: at(0) },
  objective: { value: 'log in', at: at(0) },
  archived: { value: false, at: at(0) },
  visibility: 'all',
  created_at: at(0),
  created_by: 'aid://example.com/backend@1.0.0',
  extra: {},
  ...given,
})

export const repo = (given: Partial<Repo> = {}): Repo => ({
  repo_id: BACKEND,
  name: 'backend',
  about: { value: { role: 'backend', language: 'go', relevant_paths: [], url: null }, at: at(0) },
  claims: [],
  extra: {},
  ...given,
})

export const packet = (given: Partial<Packet> = {}): Packet => ({
  packet_id: 'k1',
  from_repo: BACKEND,
  from_agent: 'aid://example.com/backend@1.0.0',
  timestamp: at(0),
  type: 'decision',
  content: { text: 'we use JWT' },
  related_contracts: [],
  reply_to: null,
  redacted: null,
  others: [],
  extra: {},
  ...given,
})

/** A contract that the backend proposed to both repos at second 0. */
export const proposed = (content: JsonObject = { path: '/me' }): Contract =>
  newContract({
    id: 'c1',
    type: 'api_endpoint',
    name: 'Me',
    content,
    repoId: BACKEND,
    parties: [BACKEND, FRONTEND],
    now: at(0),
  })

let count = 0
const freshId = (): string => `id-${++count}`

export const answer = (contract: Contract, action: ResponseAction, now: Stamp): Contract =>
  respond(
    contract,
    {
      response_id: freshId(),
      repo_id: FRONTEND,
      agent_id: 'aid://example.com/frontend@1.0.0',
      action,
      comment: `I ${action}`,
      suggested_change: null,
    },
    now,
  )

export const update = (contract: Contract, content: JsonObject, now: Stamp): Contract =>
  revise(contract, { content, repoId: BACKEND, changeNotes: 'better', now })

const workOn = (contract: Contract, repoId: string, now: Stamp) => ({
  repoId,
  agentId: `agent of ${repoId}`,
  revision: headOf(contract).id,
  at: stampAfter(now, contractStamp(contract)),
})

export const start = (contract: Contract, repoId: string, now: Stamp): Contract =>
  startImplementation(contract, workOn(contract, repoId, now), { plan: 'soon', estimated_files: [] })

export const complete = (contract: Contract, repoId: string, now: Stamp): Contract =>
  completeImplementation(contract, workOn(contract, repoId, now), {
    files: [`${repoId}.ts`],
    notes: '',
    test_endpoint: null,
  })

export const startAndComplete = (contract: Contract, repoId: string, now: Stamp): Contract =>
  complete(start(contract, repoId, now), repoId, now)

export const verify = (contract: Contract, result: VerificationResult, now: Stamp): Contract =>
  verifyImplementations(contract, workOn(contract, FRONTEND, now), {
    verification_id: freshId(),
    result,
    notes: '',
    failure_details: null,
  })

export const negotiating = (): Contract => answer(proposed(), 'request_change', at(1))
export const agreed = (): Contract => answer(proposed(), 'agree', at(1))
export const implemented = (): Contract =>
  startAndComplete(startAndComplete(agreed(), BACKEND, at(2)), FRONTEND, at(3))
export const verified = (): Contract => verify(implemented(), 'success', at(4))

export interface Parts {
  project?: Project
  repos?: Iterable<Repo>
  contracts?: Iterable<Contract>
  packets?: Iterable<Packet>
  receipts?: Iterable<Receipt>
  /** The place of every contract's and packet's last change. */
  seq?: number
}

/** A project with its parts, as a decision sees it. */
export function viewOf(parts: Parts = {}): ProjectView {
  const packets = shelfOf(parts.packets ?? [], {
    id: (one) => one.packet_id,
    created: (one) => one.timestamp,
  })
  return {
    project: parts.project ?? project(),
    repos: shelfOf(parts.repos ?? [], { id: (one) => one.repo_id, created: (one) => one.name }),
    contracts: shelfOf(parts.contracts ?? [], {
      id: (one) => one.contract_id,
      created: (one) => one.created_at,
    }),
    packets,
    receipts: shelfOf(parts.receipts ?? [], { id: (one) => one.repo_id, created: () => '' }),
    seqOf: () => parts.seq,
    repliesTo: (id) => [...packets.oldestFirst()].filter((one) => one.reply_to === id),
    packetsNaming: (sha256) => [...packets.oldestFirst()].filter((one) => fileNamedIn(one) === sha256),
  }
}

export function shelfOf<T>(
  items: Iterable<T>,
  { id, created }: { id: (item: T) => string; created: (item: T) => string },
): Shelf<T> {
  const sorted = [...items].sort((a, b) => compareText(created(a), created(b)) || compareText(id(a), id(b)))
  return {
    size: sorted.length,
    get: (wanted) => sorted.find((item) => id(item) === wanted),
    oldestFirst: (after) =>
      after === undefined ? sorted : sorted.slice(sorted.findIndex((item) => id(item) === after) + 1),
    newestFirst: () => [...sorted].reverse(),
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

const emptyShelf = shelfOf<never>([], { id: () => '', created: () => '' })

/** A daemon that holds nothing. */
export const EMPTY_VIEW: View = {
  projects: emptyShelf,
  peers: emptyShelf,
  links: emptyShelf,
  marks: emptyShelf,
  shadows: emptyShelf,
  keys: emptyShelf,
  credentials: emptyShelf,
  invites: emptyShelf,
  tokens: emptyShelf,
  agents: emptyShelf,
  guests: emptyShelf,
  acks: emptyShelf,
  usedTokens: emptyShelf,
  uploads: emptyShelf,
  namings: emptyShelf,
  projectsNaming: () => [],
  answer: () => undefined,
  fileSize: () => undefined,
}
