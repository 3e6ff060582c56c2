import { z } from 'zod'
import { BadValue, readStamp } from './stamp.ts'

export const CONTRACT_TYPES = [
  'api_endpoint',
  'event_schema',
  'data_model',
  'config_spec',
  'rpc_interface',
  'custom',
] as const
export const CONTEXT_TYPES = [
  'code_snippet',
  'type_definition',
  'api_spec',
  'error_catalog',
  'env_config',
  'test_case',
  'dependency_info',
  'implementation_status',
  'question',
  'decision',
] as const
const CONTRACT_STATUSES = ['proposed', 'negotiating', 'agreed', 'implemented', 'verified'] as const

type Content = Record<string, unknown>
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text = z.string()
const maybeText = text.nullable().default(null)
const texts = z.array(text).default([])
const content = z.custom<Content>(isObject)
const stamp = text.transform((value, context) => {
  try {
    return readStamp(value)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})
const maybeStamp = stamp.nullable().default(null)
/** Whole numbers of any size, also written as text. */
const whole = z.preprocess(
  (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
  z.number().refine(Number.isInteger),
)

// Every object drops the keys it does not know: the reference reads `assigned_agent`, never `agent_id`.
export const repoModel = z.object({
  repo_id: text,
  name: text,
  role: text,
  language: text,
  relevant_paths: texts,
  url: maybeText,
  assigned_agent: maybeText,
  agent_endpoint: maybeText,
})

const implementationModel = z.object({
  repo_id: text,
  agent_id: text,
  status: z.enum(['pending', 'in_progress', 'complete', 'needs_revision']),
  files: texts,
  notes: text.nullable().default(''),
  plan: maybeText,
  test_endpoint: maybeText,
  started_at: maybeStamp,
  completed_at: maybeStamp,
})

const contractVersionModel = z.object({
  version: whole,
  content,
  proposed_by: text,
  timestamp: stamp,
  change_notes: maybeText,
})

export const contractTypeModel = z.enum(CONTRACT_TYPES)
export const contractStatusModel = z.enum(CONTRACT_STATUSES)
export const contextTypeModel = z.enum(CONTEXT_TYPES)

export const contractModel = z.object({
  contract_id: text,
  type: contractTypeModel,
  name: text,
  version: whole,
  status: contractStatusModel,
  content,
  proposed_by: text,
  implementations: z.array(implementationModel).default([]),
  history: z.array(contractVersionModel).default([]),
  created_at: stamp,
  updated_at: stamp,
})

export const packetModel = z.object({
  packet_id: text,
  from_repo: text,
  from_agent: text,
  timestamp: stamp,
  type: contextTypeModel,
  content,
  related_contracts: texts,
  reply_to: maybeText,
})

export const projectModel = z.object({
  project_id: text,
  name: text,
  objective: text,
  status: z.enum(['planning', 'implementing', 'integrating', 'complete']),
  repos: z.array(repoModel).default([]),
  contracts: z.array(contractModel).default([]),
  context_history: z.array(packetModel).default([]),
  created_at: stamp,
  updated_at: stamp,
})

export type PlainRepo = z.infer<typeof repoModel>
export type PlainImplementation = z.infer<typeof implementationModel>
export type PlainContract = z.infer<typeof contractModel>
export type PlainPacket = z.infer<typeof packetModel>
export type PlainProject = z.infer<typeof projectModel>

/** What the model makes of a value; unfit values and unknown words are -32602. */
export function parseAs<Model extends z.ZodType>(model: Model, value: unknown): z.output<Model> {
  const { success, data, error } = model.safeParse(value)
  if (success) return data
  throw new BadValue(`validation error: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`)
}
