import fc from 'fast-check'
import { revisionId } from '../../src/domain/contract.ts'
import type {
  Claim,
  Contract,
  Implementation,
  Packet,
  Project,
  Receipt,
  Register,
  Repo,
  Response,
  Revision,
  Sighting,
  Verification,
} from '../../src/domain/model.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Stamp } from '../../src/protocol/stamp.ts'
import type { BaseStatus } from '../../src/protocol/words.ts'
import { at } from './builders.ts'

/**
 * Well-formed stored states over tiny alphabets: with three moments, two repos and two contents nearly
 * every case holds equal stamps, reused ids and concurrent versions.
 */

const MOMENTS = [at(0), at(1), at(1, 1)]
const REPOS = ['r1', 'r2']
const AGENTS = ['aid://a/x@1.0.0', 'aid://a/y@1.0.0']
const CONTENTS: JsonObject[] = [{ a: 1 }, { a: 2 }]

const moment = fc.constantFrom(...MOMENTS)
const repoId = fc.constantFrom(...REPOS)
const agent = fc.constantFrom(...AGENTS)
const word = fc.constantFrom('', 'a', 'b')
const extra = fc.constantFrom<JsonObject>(
  {},
  {},
  { x: 1 },
  { x: 2, y: null },
  { constructor: 'c', toString: 's' },
)

const register = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Register<T>> => fc.record({ value, at: moment })

/** One of many made beforehand: ten times as fast to draw, and both sides of a merge often hold the same one. */
const pooled = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.constantFrom(...fc.sample(item, { numRuns: 300, seed: 1 }))

/** A few of these, none twice, in stored order. */
function stored<T>(item: fc.Arbitrary<T>, key: (item: T) => string, sortKey = key): fc.Arbitrary<T[]> {
  return fc
    .uniqueArray(pooled(item), { selector: key, maxLength: 2 })
    .map((items) => items.sort((a, b) => order(sortKey(a), sortKey(b))))
}
const order = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

export const anyProject: fc.Arbitrary<Project> = fc.record({
  project_id: fc.constant('p1'),
  name: register(fc.constantFrom('a', 'b')),
  objective: register(word),
  archived: register(fc.boolean()),
  visibility: fc.constantFrom('all', 'members'),
  created_at: moment,
  created_by: fc.constantFrom('', ...AGENTS),
  extra,
})

const claim: fc.Arbitrary<Claim> = fc.record({
  agent_id: agent,
  claimed_at: moment,
  released_at: fc.constantFrom(null, null, ...MOMENTS),
  endpoint: register(fc.constantFrom(null, 'http://x', 'http://y')),
})

export const anyRepo: fc.Arbitrary<Repo> = fc.record({
  repo_id: fc.constant('r1'),
  name: fc.constantFrom('a', 'b'),
  about: register(
    fc.record({
      role: word,
      language: word,
      relevant_paths: fc.constantFrom([], ['src']),
      url: fc.constantFrom(null, 'u'),
    }),
  ),
  claims: stored(claim, (one) => `${one.claimed_at} ${one.agent_id}`),
  extra,
})

/** Every revision there can be, by version: few, so that both sides of a merge often hold the same one. */
const IDENTITIES = [1, 2, 3].map((version) =>
  REPOS.flatMap((proposed_by) =>
    CONTENTS.map((content) => ({
      id: revisionId(version, proposed_by, content),
      version,
      content,
      proposed_by,
    })),
  ),
)
const IDS = IDENTITIES.flat().map((one) => one.id)
const revisionRef = fc.constantFrom(...IDS.slice(0, 6))
const baseStatus = fc.constantFrom<BaseStatus>('proposed', 'negotiating', 'agreed', 'agreed')

const aboutRevision = pooled(
  fc.record({
    parent: fc.constantFrom(null, ...IDS.slice(0, 4)),
    resolves: fc.constantFrom([], [], IDS.slice(0, 1), IDS.slice(1, 3).sort(order)),
    change_notes: word,
    timestamp: moment,
    base: register(baseStatus),
  }),
)

const revisionsOf = (version: number): fc.Arbitrary<Revision[]> =>
  fc
    .subarray(IDENTITIES[version - 1] ?? [], { minLength: 1, maxLength: 2 })
    .chain((identities) =>
      fc.tuple(...identities.map((identity) => aboutRevision.map((about) => ({ ...identity, ...about })))),
    )

/** Every version up to the head has at least one revision, as in any history that grew. */
const revisions: fc.Arbitrary<Revision[]> = fc
  .constantFrom(1, 1, 1, 2, 2, 3)
  .chain((newest) => fc.tuple(...[1, 2, 3].slice(0, newest).map(revisionsOf)))
  .map((versions) =>
    versions.flatMap((same) =>
      same.sort((a, b) => order(`${a.timestamp} ${a.id}`, `${b.timestamp} ${b.id}`)),
    ),
  )

const detail = fc.constantFrom<JsonObject | string | null>(null, 'd', { d: 1 })

const response: fc.Arbitrary<Response> = fc.record({
  response_id: fc.constantFrom('a1', 'a2'),
  revision: revisionRef,
  version: fc.constant(1),
  repo_id: repoId,
  agent_id: agent,
  action: fc.constantFrom('agree', 'request_change', 'reject'),
  comment: word,
  suggested_change: detail,
  timestamp: moment,
})

const implementation: fc.Arbitrary<Implementation> = fc.record({
  repo_id: repoId,
  agent_id: agent,
  revision: revisionRef,
  status: fc.constantFrom('pending', 'in_progress', 'complete', 'complete', 'needs_revision'),
  plan: word,
  notes: word,
  files: fc.constantFrom([], ['f']),
  estimated_files: fc.constantFrom([], ['e']),
  test_endpoint: fc.constantFrom(null, 'http://t'),
  started_at: fc.constantFrom(null, ...MOMENTS),
  completed_at: fc.constantFrom(null, ...MOMENTS),
  updated_at: moment,
})

const verification: fc.Arbitrary<Verification> = fc.record({
  verification_id: fc.constantFrom('v1', 'v2'),
  revision: revisionRef,
  repo_id: repoId,
  agent_id: agent,
  result: fc.constantFrom('success', 'failure', 'partial'),
  notes: word,
  failure_details: detail,
  judged: fc.array(fc.record({ repo_id: repoId, updated_at: moment }), { maxLength: 2 }),
  timestamp: moment,
})

export const anyContract: fc.Arbitrary<Contract> = fc.record({
  contract_id: fc.constant('c1'),
  type: fc.constantFrom('custom', 'data_model'),
  name: fc.constantFrom('a', 'b'),
  created_at: moment,
  parties: fc.constantFrom(['r1'], ['r1', 'r2'], []),
  revisions,
  responses: stored(
    response,
    (one) => one.response_id,
    (one) => `${one.timestamp} ${one.response_id}`,
  ),
  implementations: stored(implementation, (one) => `${one.revision} ${one.repo_id}`),
  verifications: stored(
    verification,
    (one) => one.verification_id,
    (one) => `${one.timestamp} ${one.verification_id}`,
  ),
  extra,
})

const onePacket: fc.Arbitrary<Packet> = fc.record({
  packet_id: fc.constant('k1'),
  from_repo: repoId,
  from_agent: agent,
  timestamp: moment,
  type: fc.constantFrom('question', 'decision'),
  content: fc.constantFrom(...CONTENTS),
  related_contracts: fc.constantFrom([], ['c1']),
  reply_to: fc.constantFrom(null, 'k0'),
  redacted: fc.constant(null),
  others: fc.constant([]),
  extra,
})

const packetOrder = (a: Packet, b: Packet): number =>
  order(a.timestamp, b.timestamp) || order(canonicalText(a), canonicalText(b))

/** One packet, or several under one id with the winner in front. */
export const anyIntactPacket: fc.Arbitrary<Packet> = fc
  .uniqueArray(onePacket, { selector: canonicalText, minLength: 1, maxLength: 2 })
  .map((variants) => {
    const sorted = variants.sort(packetOrder)
    return { ...(sorted.at(-1) as Packet), others: sorted.slice(0, -1) }
  })

export const anyRedactedPacket: fc.Arbitrary<Packet> = fc
  .tuple(onePacket, fc.record({ by: agent, at: moment, reason: word }))
  .map(([packet, redacted]) => ({ ...packet, content: { redacted: true }, redacted, extra: {} }))

export const anyPacket: fc.Arbitrary<Packet> = fc.oneof(
  { weight: 4, arbitrary: anyIntactPacket },
  { weight: 1, arbitrary: anyRedactedPacket },
)

/** A contract as the reference implementation sends it: the document's keys only, times without a zone. */
export interface DocContract {
  readonly [key: string]: unknown
  readonly version: number
  readonly content: JsonObject
  readonly proposed_by: string
  readonly updated_at: string
}

const naive = (stamp: Stamp): string => stamp.slice(0, -1)
const naiveMoment = moment.map(naive)

export const anyDocContract: fc.Arbitrary<DocContract> = fc.integer({ min: 1, max: 3 }).chain((version) =>
  fc.record({
    contract_id: fc.constant('c1'),
    type: fc.constant('custom'),
    name: fc.constant('Me'),
    version: fc.constant(version),
    status: fc.constantFrom('proposed', 'negotiating', 'agreed', 'implemented', 'verified'),
    content: fc.constantFrom(...CONTENTS),
    proposed_by: repoId,
    implementations: fc.constant([]),
    history: fc.tuple(
      ...Array.from({ length: version - 1 }, (_, index) =>
        fc.record({
          version: fc.constant(index + 1),
          content: fc.constantFrom(...CONTENTS),
          proposed_by: repoId,
          timestamp: naiveMoment,
          change_notes: fc.constantFrom(null, 'because'),
        }),
      ),
    ),
    created_at: fc.constant(naive(at(0))),
    updated_at: naiveMoment,
  }),
)

const sighting: fc.Arbitrary<Sighting> = fc.record({
  key: fc.constantFrom('contract c1', 'contract c2', 'packet k1', 'packet k2', 'packet k3'),
  of: moment,
  parts: fc.constantFrom(1, 2),
  at: moment,
})

/** At most three sightings, as one that has room for three holds them. */
export const anyReceipt: fc.Arbitrary<Receipt> = fc.record({
  repo_id: fc.constant('r1'),
  seen: fc
    .uniqueArray(pooled(sighting), { selector: ({ key }) => key, maxLength: 3 })
    .map((seen) => seen.sort((a, b) => order(sightText(a), sightText(b)))),
})
const sightText = ({ at: moment, of, parts, key }: Sighting): string => `${moment} ${of} ${parts} ${key}`
