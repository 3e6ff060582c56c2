import * as z from 'zod'
import { Content } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { parseStamp } from '../../protocol/stamp.ts'
import {
  ContextType,
  ContractStatus,
  ContractType,
  Endpoint,
  Id,
  ImplementationStatus,
} from '../../protocol/words.ts'

/**
 * The objects that a plain peer sends, as leniently as the reference implementation makes them. Known fields must be
 * well-formed; unknown ones have no effect.
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
const Label = z.string().min(1).max(LIMITS.nameLength)
const Words = z
  .string()
  .max(LIMITS.textLength)
  .nullish()
  .transform((words) => words ?? '')
const Version = z.int('must be a whole number from 1 to 2^53').min(1)
const Agent = z.string().max(256).nullish()
const Paths = z
  .array(z.string().max(1000))
  .max(LIMITS.listItems)
  .nullish()
  .transform((paths) => paths ?? [])
/** An endpoint that could not be reached anyway becomes null. */
const Reachable = z
  .string()
  .nullish()
  .transform((url) => (Endpoint.safeParse(url).success ? (url ?? null) : null))

export const GivenRepo = z.looseObject({
  repo_id: Id,
  name: Label,
  role: Label.default('shared'),
  language: Label.default('unknown'),
  relevant_paths: Paths,
  url: Reachable,
  agent_id: Agent,
  assigned_agent: Agent,
  agent_endpoint: Reachable,
})

/** Limited, because every version is compared with the stored ones. */
const MOST_VERSIONS = 2000

const GivenVersion = z.looseObject({
  version: Version,
  content: Content,
  proposed_by: z.string().max(LIMITS.nameLength),
  timestamp: When,
  change_notes: Words,
})

const GivenWork = z.looseObject({
  repo_id: Id,
  agent_id: Agent,
  status: ImplementationStatus,
  files: Paths,
  notes: Words,
  plan: Words,
  test_endpoint: Reachable,
  started_at: When.nullish(),
  completed_at: When.nullish(),
})

export const GivenContract = z.looseObject({
  contract_id: Id,
  type: ContractType,
  name: Label,
  version: Version,
  status: ContractStatus,
  content: Content,
  proposed_by: z.string().max(LIMITS.nameLength),
  implementations: z.array(GivenWork).max(LIMITS.repos).default([]),
  history: z.array(GivenVersion).max(MOST_VERSIONS).default([]),
  created_at: When,
  updated_at: When,
})

export const GivenPacket = z.looseObject({
  packet_id: Id,
  from_repo: z.string().max(LIMITS.nameLength),
  from_agent: Agent,
  timestamp: When,
  type: ContextType,
  content: Content,
  related_contracts: z
    .array(Id)
    .max(LIMITS.listItems)
    .nullish()
    .transform((ids) => ids ?? []),
  reply_to: Id.nullish(),
})

/** Without its parts, which are read separately. */
export const GivenProject = z.looseObject({
  project_id: Id,
  name: Label,
  objective: Words,
  created_at: When,
  updated_at: When,
})

export type GivenRepo = z.infer<typeof GivenRepo>
export type GivenWork = z.infer<typeof GivenWork>
export type GivenContract = z.infer<typeof GivenContract>
export type GivenPacket = z.infer<typeof GivenPacket>
export type GivenProject = z.infer<typeof GivenProject>
