import * as z from 'zod'
import { Fault } from '../fault.ts'
import { FreeObject, isJsonObject, type JsonObject } from '../json/json.ts'
import { fieldFault, readAs } from '../read-as.ts'
import { parseStamp } from '../stamp.ts'
import { CHIFFON_VERSIONS } from './versions.ts'

export const CHIFFON_PATH = '/api/agent/message'

export const AgentType = z.enum(['orchestrator', 'infra', 'desktop', 'code', 'research'])
export type AgentType = z.infer<typeof AgentType>

/** Limits of one message, so that an answer can repeat its custom fields. */
export const CHIFFON_BOUNDS = { bodyBytes: 4 * 1024 * 1024, customFieldsLength: 16 * 1024 } as const

export const Uuid = z
  .guid('must be a UUID such as 550e8400-e29b-41d4-a716-446655440003')
  .transform((id) => id.toLowerCase())

export const CustomFields = FreeObject.refine(
  (fields) => JSON.stringify(fields).length <= CHIFFON_BOUNDS.customFieldsLength,
  `must be at most ${CHIFFON_BOUNDS.customFieldsLength} characters of JSON, because every answer repeats it`,
).meta({ type: 'object' })

/** The envelope of every message. All fields but the last two are required. */
export const Envelope = z.object({
  protocol_version: z.string(),
  message_id: Uuid,
  from_agent: AgentType,
  to_agent: AgentType,
  timestamp: z
    .string()
    .refine(
      (text) => parseStamp(text) !== undefined,
      'must be an ISO 8601 time such as 2026-01-19T04:21:04Z',
    ),
  trace_id: Uuid,
  request_id: Uuid,
  type: z.enum(['work_request', 'work_status', 'work_result', 'error']),
  payload: FreeObject,
  x_custom_fields: CustomFields.optional(),
  /** Not in the document, but every known sender has it. */
  priority: z.int().min(1).max(5).optional(),
})
export type Envelope = Readonly<z.output<typeof Envelope>>
type MessageType = Envelope['type']

/** The ids and custom fields of a message that all messages about the same work repeat. */
export type Thread = Pick<Envelope, 'trace_id' | 'request_id' | 'from_agent' | 'to_agent' | 'x_custom_fields'>

/** The version is checked first: the fields of other versions are unknown. */
export function readEnvelope(body: unknown): Envelope {
  const given = isJsonObject(body) ? body : {}
  const { protocol_version: version } = given
  if (typeof version === 'string' && !CHIFFON_VERSIONS.some((known) => known === version))
    throw unsupportedVersion(version, given['payload'])
  return readPart(Envelope, body)
}

/** A message, or the part of it at `root`, in the shape that it must have. */
export const readPart = <Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  root: readonly string[] = [],
): z.output<Shape> => readAs(shape, value, (misfit) => fieldFault(misfit, { root, missing: 'is required' }))

function unsupportedVersion(version: string, payload: unknown): Fault {
  const asked = isJsonObject(payload) ? payload['work_type'] : undefined
  return new Fault(
    'unsupported_work_type',
    `protocol_version: ${version.slice(0, 20)} is not spoken here, only ${CHIFFON_VERSIONS.join(', ')}`,
    {
      next: `Send it as version ${CHIFFON_VERSIONS.join(' or ')}`,
      data: {
        work_type_requested: typeof asked === 'string' ? asked.slice(0, 200) : '',
        supported_versions: CHIFFON_VERSIONS,
      },
    },
  )
}

/** The thread of a message, as far as it can be read however invalid the rest is. */
export function threadOf(body: unknown): Partial<Thread> {
  const given = isJsonObject(body) ? body : {}
  const shape = Envelope.pick({ trace_id: true, request_id: true, from_agent: true, x_custom_fields: true })
  const found: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(shape.shape)) {
    const parsed = schema.safeParse(given[key])
    if (parsed.success && parsed.data !== undefined) found[key] = parsed.data
  }
  return found
}

/** One message without its envelope. */
export interface Message {
  readonly type: MessageType
  readonly payload: JsonObject
}

type EnvelopeParts = Thread &
  Pick<Envelope, 'message_id' | 'timestamp'> &
  Partial<Pick<Envelope, 'protocol_version'>>

export function wrap({ type, payload }: Message, parts: EnvelopeParts): Envelope {
  return {
    protocol_version: parts.protocol_version ?? CHIFFON_VERSIONS[0],
    message_id: parts.message_id,
    from_agent: parts.from_agent,
    to_agent: parts.to_agent,
    timestamp: parts.timestamp,
    trace_id: parts.trace_id,
    request_id: parts.request_id,
    type,
    payload,
    x_custom_fields: parts.x_custom_fields ?? {},
  }
}
