import * as z from 'zod'
import { Evidence, GRADES } from '../domain/proof/evidence.ts'
import { FreeObject } from '../protocol/json/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { ContractWord, ProjectWord, RepoWord } from '../protocol/named.ts'
import {
  ContextType,
  ContractStatus,
  ContractType,
  ImplementationStatus,
  listOf,
  manyOf,
  Name,
  NewName,
  namedShape,
  ProjectStatus,
  ResponseAction,
  Sha256,
  Text,
  Texts,
  VerificationResult,
  Visibility,
  When,
} from '../protocol/words.ts'

/** The data types of the CACP document as results. Fields that only cacpd knows come last in each. */

const Detail = z.union([FreeObject, z.string()]).nullable()

const Redacted = z.object({ by: z.string(), at: When, reason: z.string() })

const ByShape = namedShape('By', {
  statement: z.string().describe('its ID'),
  agent_id: z.string(),
  proof: z
    .enum(['signed', 'reported'])
    .describe('signed by its author’s daemon, or by one that heard it from an author that signs nothing'),
  reported_by: z.string().optional().describe('the agent whose daemon heard it'),
  mark: z
    .enum(['unconfirmed', 'released', 'rotated', 'settled', 'outranked'])
    .optional()
    .describe('a reservation: the claim behind it is not confirmed, or has ended since'),
  by_person: z.boolean().optional().describe('true: a person said it there, and not the agent'),
  revoked: z.boolean().optional().describe('true: that agent, or who reported it, was revoked here since'),
})

const RepoShape = namedShape('RepoContext', {
  repo_id: z.string(),
  name: z.string(),
  role: z.string(),
  language: z.string(),
  relevant_paths: Texts,
  url: z.string().nullable(),
  agent_id: z.string().nullable(),
  assigned_agent: z.string().nullable(),
  agent_endpoint: z.string().nullable(),
  shown_name: z.string().optional().describe('what it is called now, where that is another name'),
  claims: listOf(
    z.object({
      claim_id: z.string(),
      agent_id: z.string(),
      claimed_at: When,
      released_at: When.nullable(),
      confirmed: z.boolean().describe('by the founder of the project'),
      standing: z.enum(['holds', 'left', 'settled', 'outranked']),
      reported_by: z.string().optional(),
    }),
  ).describe('those that count before others first'),
})

const aboutRevision = {
  timestamp: When,
  change_notes: z.string(),
  revision: z.string(),
  parent: z.string().nullable(),
  resolves: Texts,
  parties: Texts.describe('repos that have to implement it'),
  needed: Texts.describe('repos that have to agree to it'),
  agreed: z.boolean(),
  retire: z.boolean().optional(),
  depends_on: Texts.optional(),
  redacted: Redacted.optional(),
  by: ByShape,
}

const RevisionShape = namedShape('ContractVersion', {
  version: z.int(),
  content: FreeObject,
  proposed_by: z.string(),
  ...aboutRevision,
})

const ImplementationShape = namedShape('Implementation', {
  repo_id: z.string(),
  agent_id: z.string(),
  status: ImplementationStatus,
  files: Texts.describe('while it is in progress: those that are expected'),
  notes: z.string(),
  plan: z.string().nullable(),
  test_endpoint: z.string().nullable(),
  started_at: When.nullable(),
  completed_at: When.nullable(),
  updated_at: When,
  estimated_files: Texts,
  revision: z.string(),
  by: ByShape,
})

const ResponseShape = namedShape('ContractResponse', {
  response_id: z.string(),
  revision: z.string(),
  version: z.int(),
  repo_id: z.string(),
  agent_id: z.string(),
  action: ResponseAction,
  comment: z.string(),
  suggested_change: Detail,
  accepts: Texts.optional().describe('fingerprints of changes that the repo took on itself'),
  timestamp: When,
  redacted: Redacted.optional(),
  by: ByShape,
})

const VerificationShape = namedShape('Verification', {
  verification_id: z.string(),
  revision: z.string(),
  repo_id: z.string(),
  agent_id: z.string(),
  result: VerificationResult,
  notes: z.string(),
  failure_details: Detail,
  judged: listOf(z.object({ repo_id: z.string(), work: z.string() })).describe('the work that was looked at'),
  blames: Texts.describe('repos whose work fails; empty: all that were judged'),
  grade: z.enum(GRADES).optional().describe('how well it is founded'),
  evidence: listOf(Evidence).optional().describe('what it rests on'),
  timestamp: When,
  redacted: Redacted.optional(),
  by: ByShape,
})

export const InForceShape = z
  .object({
    version: z.int(),
    status: ContractStatus,
    revision: z.string(),
    content: FreeObject.optional().describe('in cacp/contract/get, where the newest version is another one'),
  })
  .nullable()
  .describe('what holds, whatever is proposed beside it; null: nothing')

export const ContractShape = namedShape('Contract', {
  contract_id: z.string(),
  type: ContractType,
  name: z.string(),
  version: z.int(),
  status: ContractStatus,
  content: FreeObject,
  proposed_by: z.string(),
  implementations: listOf(ImplementationShape).describe('of the version in force'),
  history: listOf(RevisionShape).optional(),
  created_at: When,
  updated_at: When,
  parties: Texts,
  responses: listOf(ResponseShape),
  verifications: listOf(VerificationShape),
  conflicts: listOf(RevisionShape),
  head: z.object(aboutRevision),
  past_implementations: listOf(ImplementationShape),
  inForce: InForceShape,
  objections: Texts.describe('repos whose newest answer is no'),
  unanswered: Texts.describe('repos that have to agree and have not answered'),
  withdrawn: z.boolean(),
  retired: z.boolean(),
  earlier: z
    .object({ count: z.int(), before: z.string() })
    .optional()
    .describe('how much more was said before the oldest that is shown: call again with this before'),
})

export const PacketShape = namedShape('ContextPacket', {
  packet_id: z.string(),
  from_repo: z.string(),
  from_agent: z.string(),
  timestamp: When,
  type: ContextType,
  content: FreeObject,
  related_contracts: Texts,
  reply_to: z.string().nullable(),
  redacted: Redacted.optional(),
  by: ByShape,
  not_among_options: z
    .boolean()
    .optional()
    .describe('of a decision: it chose something that the question does not offer'),
  replaced_by: z
    .string()
    .optional()
    .describe('of a decision: packet id of the one by which the same repo decided anew'),
  contradicted_by: Texts.optional().describe(
    'of a decision: packet_ids of those on the same question that choose something else; of a question: of all such',
  ),
})

export const ProjectShape = namedShape('Project', {
  project_id: z.string(),
  name: z.string(),
  objective: z.string(),
  status: ProjectStatus,
  repos: listOf(RepoShape),
  contracts: listOf(ContractShape),
  context_history: listOf(PacketShape),
  created_at: When,
  updated_at: When,
  created_by: z.string(),
  visibility: Visibility,
  archived: z.boolean(),
  archived_by: z
    .object({ repo_id: z.string().nullable(), agent_id: z.string(), at: When })
    .optional()
    .describe('who archived it; repo_id null: the founder of the project'),
  reported_by: z
    .string()
    .optional()
    .describe('the agent whose daemon heard of it, where its founder signs nothing'),
})

/** How many statements of another daemon, or at it, were not taken, and the newest of them. */
export const Refused = z.object({
  count: z.int(),
  newest: listOf(z.object({ id: z.string(), reason: z.string(), since: z.string() })),
})

/** Params that several methods share. */

/** A contract, which is looked up in its project. */
export const Target = { projectId: ProjectWord, contractId: ContractWord }

export const RepoInput = z.object({
  name: NewName,
  role: Name.optional().describe(
    'backend | frontend | mobile | shared | infra | devops, or another word; default: what its daemon says, if it is known here, else shared',
  ),
  language: Name.optional().describe('default: what its daemon says, if it is known here, else unknown'),
  relevantPaths: z.array(z.string().max(1024)).max(LIMITS.listItems).default([]),
  url: z.string().max(2048).nullish(),
})

export const FileInput = z
  .object({
    name: Name.refine((name) => !/[/\\]/.test(name), 'must be a plain file name').describe(
      'a plain file name, without folders',
    ),
    contentType: z.string().max(200).default('application/octet-stream').describe('its media type'),
    content: z
      .base64('must be strict base64')
      .optional()
      .describe('the bytes, base64, where they fit into a call of 1 MiB; else sha256'),
    sha256: Sha256.optional().describe(
      'the hash that POST /files (application/octet-stream, up to 10 MiB) answered',
    ),
  })
  .describe('the file: its name, and either content or sha256')
export type FileInput = z.output<typeof FileInput>

export const PartyNames = z.array(RepoWord).min(1).max(LIMITS.repos).optional()
export const PartyNamesResult = z
  .array(z.string())
  .describe('names of the repos that must agree and implement it')
export const DependsOn = manyOf(ContractWord)
  .optional()
  .describe('the contracts of the project that have to be in force before it can be built')
export const Detailed = z.union([FreeObject, Text])
export const FilePaths = z.array(z.string().min(1).max(1024)).max(1000)
