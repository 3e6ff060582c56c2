import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { RESERVED_IDS } from './reserved-ids.ts'

/** The closed vocabularies of CACP 2.0, "Data Types". */
export const ContractType = z.enum([
  'api_endpoint',
  'event_schema',
  'data_model',
  'config_spec',
  'rpc_interface',
  'custom',
])
export type ContractType = z.infer<typeof ContractType>

export const ContractStatus = z.enum(['proposed', 'negotiating', 'agreed', 'implemented', 'verified'])
export type ContractStatus = z.infer<typeof ContractStatus>

/** The statuses of a contract that the parties decide; the others follow from the work. */
export const BaseStatus = z.enum(['proposed', 'negotiating', 'agreed'])
export type BaseStatus = z.infer<typeof BaseStatus>

export const ContextType = z.enum([
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
])
export type ContextType = z.infer<typeof ContextType>

export const ProjectStatus = z.enum(['planning', 'implementing', 'integrating', 'complete'])
export type ProjectStatus = z.infer<typeof ProjectStatus>

export const ImplementationStatus = z.enum(['pending', 'in_progress', 'complete', 'needs_revision'])
export type ImplementationStatus = z.infer<typeof ImplementationStatus>

export const ResponseAction = z.enum(['agree', 'request_change', 'reject'])
export type ResponseAction = z.infer<typeof ResponseAction>

export const VerificationResult = z.enum(['success', 'failure', 'partial'])
export type VerificationResult = z.infer<typeof VerificationResult>

export const Visibility = z.enum(['all', 'members'])
export type Visibility = z.infer<typeof Visibility>

const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value) && !RESERVED_IDS.has(value)
}

/** An id that can never be mistaken for a path or a prototype. */
export const Id = z
  .string()
  .regex(ID, 'must be 1 to 128 of the characters A-Z a-z 0-9 . _ : - and start with a letter or digit')
  .refine((id) => !RESERVED_IDS.has(id), 'is a reserved word')

/** Characters that make a name look like another: control characters, line breaks, direction controls. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Whether a short text can be shown as it is. */
export const isPlainLabel = (text: string): boolean => !UNSEEN.test(text)

export const PLAIN_LABEL =
  'must not contain NUL or other control characters, line breaks or marks of writing direction'

export const Name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(LIMITS.nameLength)
  .refine(isPlainLabel, PLAIN_LABEL)

/** Names that look like an id and would never be found, because ids are tried first. */
const LIKE_ID = /^(?:[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}|[0-9a-f]{64}|[a-z]+:\/\/.*)$/i

export const refusedAsName = (name: string): string | undefined =>
  LIKE_ID.test(name) ? 'must not look like an ID: choose a name that people can tell from one' : undefined

export const NewName = Name.refine((name) => refusedAsName(name) === undefined, {
  error: ({ input }) => refusedAsName(String(input)) ?? 'is malformed',
})

/** A list in params. */
export const manyOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(LIMITS.listItems)

/** A param that is off unless it is given. */
export const Flag = z.boolean().default(false)

/** Which of the things in a list comes first. */
export const Order = z.enum(['oldest', 'newest']).default('oldest')

/** An object that the described schemas refer to by this name. */
export const namedShape = <Fields extends z.ZodRawShape>(id: string, fields: Fields) =>
  z.object(fields).meta({ id })

/** A list in a result. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

/** A list of names or ids in a result. */
export const Texts = z.array(z.string()).readonly()

/** A time in a result. */
export const When = z.string().meta({ format: 'date-time' })

export const Text = z.string().max(LIMITS.textLength)
export const Endpoint = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/[^\s/?#@]+(?:[/?][^\s#]*)?$/, 'must be an http(s) URL without user name or fragment')
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hex')
