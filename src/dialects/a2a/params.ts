import * as z from 'zod'
import { Fault } from '../../protocol/fault.ts'
import { FreeObject, findUnstorable, isJsonObject, type Json } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { fieldFault, readAs } from '../../protocol/read-as.ts'
import { EARLIEST, parseStamp, type Stamp } from '../../protocol/stamp.ts'
import type { A2aVersion, OfferedCall } from './versions.ts'

/** Some clients write null, and some an empty text, for what they leave out. */
const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())

const Id = z.string().min(1).max(LIMITS.nameLength)
const MediaType = z.string().max(LIMITS.nameLength)
const FileName = z.string().max(LIMITS.nameLength)
const Uri = z.string().min(1).max(LIMITS.textLength)
const Base64 = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/, { error: 'must be base64' })
/** A number above the bound is lowered to it. */
const HistoryLength = z
  .int()
  .min(0)
  .transform((length) => Math.min(length, LIMITS.pageItems))
const Ids = z.array(Id).max(LIMITS.listItems)
const Uris = z.array(Uri).max(LIMITS.listItems)
const Modes = z.array(MediaType).max(LIMITS.listItems)

const Time = z.string().transform((text, context): Stamp => {
  const stamp = parseStamp(text)
  if (stamp === undefined) context.addIssue('must be an ISO 8601 time')
  return stamp ?? EARLIEST
})

const CONTENTS = ['text', 'raw', 'url', 'data'] as const

const Part = z
  .object({
    text: z.string().optional(),
    raw: Base64.optional(),
    url: Uri.optional(),
    data: z.custom<Json>().optional(),
    mediaType: maybe(MediaType),
    filename: maybe(FileName),
    metadata: maybe(FreeObject),
  })
  .refine((part) => CONTENTS.filter((content) => part[content] !== undefined).length === 1, {
    error: 'must have exactly one of text, raw, url, data',
  })
export type Part = z.infer<typeof Part>

const Message = z.object({
  messageId: Id,
  role: z.literal('ROLE_USER', { error: 'must be ROLE_USER: only the agent itself speaks as ROLE_AGENT' }),
  parts: z.array(Part).min(1).max(LIMITS.listItems),
  contextId: maybe(Id),
  taskId: maybe(Id),
  metadata: maybe(FreeObject),
  extensions: maybe(Uris),
  referenceTaskIds: maybe(Ids),
})

export const SendParams = z.object({
  message: Message,
  configuration: maybe(
    z.object({
      acceptedOutputModes: maybe(Modes),
      historyLength: maybe(HistoryLength),
      returnImmediately: maybe(z.boolean()),
      taskPushNotificationConfig: maybe(FreeObject),
    }),
  ),
  metadata: maybe(FreeObject),
})
export type SendParams = z.infer<typeof SendParams>

const STATES = ['SUBMITTED', 'WORKING', 'COMPLETED', 'FAILED', 'CANCELED'] as const
const OTHER_STATES = ['UNSPECIFIED', 'INPUT_REQUIRED', 'REJECTED', 'AUTH_REQUIRED'] as const

export const ListParams = z.object({
  contextId: maybe(Id),
  status: maybe(z.enum([...STATES, ...OTHER_STATES].map((state) => `TASK_STATE_${state}` as const))),
  pageSize: maybe(z.int().min(1).max(100)),
  pageToken: maybe(z.string().max(LIMITS.nameLength)),
  historyLength: maybe(HistoryLength),
  statusTimestampAfter: maybe(Time),
  includeArtifacts: maybe(z.boolean()),
})
export type ListParams = z.infer<typeof ListParams>

const GetParams = z.object({ id: Id, historyLength: maybe(HistoryLength) })
const IdParams = z.object({ id: Id, metadata: maybe(FreeObject) })

const LegacyPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), metadata: maybe(FreeObject) }),
  z.object({
    kind: z.literal('file'),
    file: z.union([
      z.object({ bytes: Base64, name: maybe(FileName), mimeType: maybe(MediaType) }),
      z.object({ uri: Uri, name: maybe(FileName), mimeType: maybe(MediaType) }),
    ]),
    metadata: maybe(FreeObject),
  }),
  z.object({ kind: z.literal('data'), data: FreeObject, metadata: maybe(FreeObject) }),
])

const LegacySendParams = z.object({
  message: Message.extend({
    kind: maybe(z.literal('message')),
    role: z.literal('user', { error: 'must be user: only the agent itself speaks as agent' }),
    parts: z.array(LegacyPart).min(1).max(LIMITS.listItems),
  }),
  configuration: maybe(
    z.object({
      acceptedOutputModes: maybe(Modes),
      historyLength: maybe(HistoryLength),
      blocking: z
        .boolean()
        .nullish()
        .transform((value) => value ?? true),
      pushNotificationConfig: maybe(FreeObject),
    }),
  ),
  metadata: maybe(FreeObject),
})

const SAME = { get: GetParams, list: ListParams, cancel: IdParams, subscribe: IdParams }
const PARAMS: Record<A2aVersion, Record<OfferedCall, z.ZodType>> = {
  '0.3': { ...SAME, send: LegacySendParams, stream: LegacySendParams },
  '1.0': { ...SAME, send: SendParams, stream: SendParams },
}

/** The params of a call, as its version writes them, within their bounds; the fault names the field. */
export function checkParams(params: unknown, call: OfferedCall, version: A2aVersion): unknown {
  if (params !== undefined && !isJsonObject(params))
    throw new Fault('invalid_params', 'Invalid params: must be an object')
  const unstorable = findUnstorable(params, { root: ['params'] })
  if (unstorable !== undefined) throw new Fault('invalid_params', `Invalid params: ${unstorable}`)
  return readParams(PARAMS[version][call], params ?? {})
}

export function readParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  return readAs(schema, params, (misfit) => fieldFault(misfit, { lead: 'Invalid params: ', whole: '' }))
}
