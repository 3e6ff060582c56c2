import { isContentLength, isJsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { isStamp } from '../protocol/stamp.ts'
import {
  BaseStatus,
  ContextType,
  ContractStatus,
  ContractType,
  ImplementationStatus,
  isId,
  ResponseAction,
  VerificationResult,
} from '../protocol/words.ts'

/**
 * Whether a contract or packet is just as a cacpd of this version writes it: every key is there and no other,
 * every time is a stamp. The schemas in wire.ts would take it and give it back equal, at many times the cost.
 * A no here says nothing: they decide then, and they name what is wrong.
 */

type Check = (value: unknown) => boolean

const textUpTo =
  (length: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= length
const isText: Check = (value) => typeof value === 'string'
const isLabel = textUpTo(LIMITS.nameLength)
const isName: Check = (value) => isLabel(value) && value !== ''
const isWords = textUpTo(LIMITS.textLength)
const isAgent = textUpTo(256)
const isTime: Check = (value) => typeof value === 'string' && isStamp(value)
const isVersion: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 1
const isHash: Check = (value) => typeof value === 'string' && HASH.test(value)
const HASH = /^[0-9a-f]{64}$/
const isContent: Check = (value) => isJsonObject(value) && isContentLength(value)
const isDetail: Check = (value) => value === null || isJsonObject(value) || isWords(value)

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

const listOf =
  (check: Check, length: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= length && value.every(check)

function oneOf({ options }: { options: readonly string[] }): Check {
  const words = new Set<unknown>(options)
  return (value) => words.has(value)
}

/** All of these keys, and no other. */
function shape(checks: Readonly<Record<string, Check>>): Check {
  const byKey = new Map(Object.entries(checks))
  return (value) => {
    if (!isJsonObject(value)) return false
    const keys = Object.keys(value)
    return keys.length === byKey.size && keys.every((key) => byKey.get(key)?.(value[key]) === true)
  }
}

const isPaths = listOf(textUpTo(1024), 10_000)

const aboutRevision = {
  revision: isText,
  parent: orNull(isHash),
  resolves: listOf(isHash, 1000),
  change_notes: isWords,
  timestamp: isTime,
  base_status: oneOf(BaseStatus),
  base_at: isTime,
}

const isRevision = shape({ version: isVersion, content: isContent, proposed_by: isLabel, ...aboutRevision })

const isImplementation = shape({
  repo_id: isId,
  agent_id: isAgent,
  revision: isHash,
  status: oneOf(ImplementationStatus),
  reported_status: oneOf(ImplementationStatus),
  files: isPaths,
  estimated_files: isPaths,
  notes: isWords,
  plan: isWords,
  test_endpoint: orNull(textUpTo(2048)),
  started_at: orNull(isTime),
  completed_at: orNull(isTime),
  updated_at: isTime,
})

const isResponse = shape({
  response_id: isId,
  revision: isHash,
  version: isVersion,
  repo_id: isId,
  agent_id: isAgent,
  action: oneOf(ResponseAction),
  comment: isWords,
  suggested_change: isDetail,
  timestamp: isTime,
})

const isVerification = shape({
  verification_id: isId,
  revision: isHash,
  repo_id: isId,
  agent_id: isAgent,
  result: oneOf(VerificationResult),
  notes: isWords,
  failure_details: isDetail,
  judged: listOf(shape({ repo_id: isId, updated_at: isTime }), LIMITS.mergedRepos),
  timestamp: isTime,
})

const MANY = 10_000

export const isOwnContract = shape({
  contract_id: isId,
  type: oneOf(ContractType),
  name: isName,
  version: isVersion,
  status: oneOf(ContractStatus),
  content: isContent,
  proposed_by: isLabel,
  implementations: listOf(isImplementation, MANY),
  past_implementations: listOf(isImplementation, MANY),
  history: listOf(isRevision, MANY),
  created_at: isTime,
  updated_at: isTime,
  parties: listOf(isId, LIMITS.mergedRepos),
  responses: listOf(isResponse, MANY),
  verifications: listOf(isVerification, MANY),
  head: shape(aboutRevision),
})

export const isOwnPacket = shape({
  packet_id: isId,
  from_repo: isLabel,
  from_agent: isAgent,
  timestamp: isTime,
  type: oneOf(ContextType),
  content: isContent,
  related_contracts: listOf(isId, LIMITS.listItems),
  reply_to: orNull(isId),
})
