import { z } from 'zod'
import { Content, FreeObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { parseStamp } from '../protocol/stamp.ts'
import {
  BaseStatus,
  ContextType,
  ContractStatus,
  ContractType,
  Id,
  ImplementationStatus,
  ResponseAction,
  VerificationResult,
  Visibility,
} from '../protocol/words.ts'

/**
 * The objects that peers send, as leniently as the document's own implementation makes them: keys that only
 * a cacpd writes are optional, unknown ones are kept. What is there must be well-formed.
 */

const When = z
  .string()
  .max(40)
  .transform((text, context) => {
    const stamp = parseStamp(text)
    if (stamp !== undefined) return stamp
    context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time' })
    return z.NEVER
  })
const Label = z.string().max(LIMITS.nameLength)
const Words = z.string().max(LIMITS.textLength)
const Version = z.int('must be a whole number from 1 to 2^53').min(1)
const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Agent = z.string().max(256)
const Detail = z.union([FreeObject, Words]).nullable()
const Paths = z.array(z.string().max(1024)).max(10_000)

export const WireClaim = z.looseObject({
  agent_id: Agent,
  claimed_at: When,
  released_at: When.nullable(),
  agent_endpoint: z.string().max(2048).nullable(),
  endpoint_at: When,
})

export const WireRepo = z.looseObject({
  repo_id: Id,
  name: Label.min(1),
  role: Label.default('shared'),
  language: Label.default('unknown'),
  relevant_paths: Paths.default([]),
  url: z.string().max(2048).nullish(),
  agent_id: Agent.nullish(),
  assigned_agent: Agent.nullish(),
  agent_endpoint: z.string().max(2048).nullish(),
  described_at: When.optional(),
  claims: z.array(WireClaim).max(1000).optional(),
})

const aboutRevision = {
  revision: z.string().optional(),
  parent: Hash.nullish(),
  resolves: z.array(Hash).max(1000).optional(),
  change_notes: Words.nullish(),
  timestamp: When,
  base_status: BaseStatus.optional(),
  base_at: When.optional(),
}

export const WireRevision = z.looseObject({
  version: Version,
  content: Content,
  proposed_by: Label,
  ...aboutRevision,
})

export const WireImplementation = z.looseObject({
  repo_id: Id,
  agent_id: Agent.nullish(),
  revision: Hash.optional(),
  status: ImplementationStatus,
  reported_status: ImplementationStatus.optional(),
  files: Paths.nullish(),
  estimated_files: Paths.nullish(),
  notes: Words.nullish(),
  plan: Words.nullish(),
  test_endpoint: z.string().max(2048).nullish(),
  started_at: When.nullish(),
  completed_at: When.nullish(),
  updated_at: When.optional(),
})

export const WireResponse = z.looseObject({
  response_id: Id,
  revision: Hash,
  version: Version,
  repo_id: Id,
  agent_id: Agent,
  action: ResponseAction,
  comment: Words,
  suggested_change: Detail,
  timestamp: When,
})

export const WireVerification = z.looseObject({
  verification_id: Id,
  revision: Hash,
  repo_id: Id,
  agent_id: Agent,
  result: VerificationResult,
  notes: Words,
  failure_details: Detail,
  judged: z.array(z.object({ repo_id: Id, updated_at: When })).max(LIMITS.mergedRepos),
  timestamp: When,
})

export const WireContract = z.looseObject({
  contract_id: Id,
  type: ContractType,
  name: Label.min(1),
  version: Version,
  status: ContractStatus,
  content: Content,
  proposed_by: Label,
  implementations: z.array(WireImplementation).max(10_000).default([]),
  past_implementations: z.array(WireImplementation).max(10_000).default([]),
  history: z.array(WireRevision).max(10_000).default([]),
  created_at: When,
  updated_at: When,
  parties: z.array(Id).max(LIMITS.mergedRepos).optional(),
  responses: z.array(WireResponse).max(10_000).default([]),
  verifications: z.array(WireVerification).max(10_000).default([]),
  head: z.looseObject(aboutRevision).optional(),
})

/** A packet as it stands alone. */
export const WireOnePacket = z.looseObject({
  packet_id: Id,
  from_repo: Label,
  from_agent: Agent.nullish(),
  timestamp: When,
  type: ContextType,
  content: Content,
  related_contracts: z.array(Id).max(LIMITS.listItems).nullish(),
  reply_to: Id.nullish(),
  redacted: z.object({ by: Agent, at: When, reason: Words }).nullish(),
})

export const WirePacket = WireOnePacket.extend({
  others: z.array(WireOnePacket).max(LIMITS.listItems).optional(),
})

/** Only a cacpd writes it, so nothing else is in it. */
export const WireReceipt = z.object({
  repo_id: Id,
  seen: z
    .array(
      z.object({
        key: z
          .string()
          .regex(/^(contract|packet) [A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/, 'must be a kind and an id'),
        of: When,
        parts: z.int().min(0),
        at: When,
      }),
    )
    .max(LIMITS.receiptItems),
})

export const WireProject = z.looseObject({
  project_id: Id,
  name: Label.min(1),
  objective: Words,
  created_at: When,
  updated_at: When,
  created_by: Agent.optional(),
  visibility: Visibility.optional(),
  archived: z.boolean().optional(),
  stamps: z.object({ name: When, objective: When, archived: When }).optional(),
  repos: z.array(z.unknown()).max(LIMITS.mergedRepos).default([]),
  contracts: z.array(z.unknown()).max(100_000).default([]),
  context_history: z.array(z.unknown()).max(1_000_000).default([]),
})
