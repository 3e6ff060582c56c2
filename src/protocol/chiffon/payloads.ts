import * as z from 'zod'
import { FreeObject, isJsonObject, type JsonObject } from '../json/json.ts'
import { AgentType, readPart, Uuid } from './envelope.ts'

const Words = z.string().min(1, 'must not be empty').max(200)

/** Limits that the sender sets; others are allowed besides these two. */
const Hints = z.looseObject({
  max_duration_seconds: z.number().positive('must be more than 0').optional(),
  max_memory_mb: z.number().positive('must be more than 0').optional(),
})

const WorkRequest = z.object({
  task_id: Uuid,
  work_type: Words,
  parameters: FreeObject.default({}),
  hints: Hints.default({}),
})

const Step = z.object({
  number: z.int(),
  name: z.string(),
  output: z.string().default(''),
  output_chunk: z.string().max(100).optional(),
})

const WorkStatus = z.object({
  task_id: Uuid,
  status: z.enum(['running', 'step_completed', 'paused']),
  progress_percent: z.int().min(0).max(100),
  step: Step,
})

/** A heartbeat of an agent: a work_status that is about no task. */
const Heartbeat = z.object({
  agent_id: Uuid,
  agent_type: AgentType,
  status: z.enum(['online', 'offline', 'busy']),
})

export const isHeartbeat = (payload: JsonObject): boolean =>
  payload['agent_type'] !== undefined && payload['task_id'] === undefined

/** The meaning of each final status; agents in the field say `completed` for success, and `cancelled`. */
export const ENDS = {
  success: 'completed',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'canceled',
} as const

export const WorkResult = z
  .object({
    task_id: Uuid,
    status: z.enum(['success', 'failed', 'completed', 'cancelled']),
    exit_code: z.int(),
    output: z.string().default(''),
    output_chunk: z.string().max(100).optional(),
    error_message: z.string().nullish(),
    resources_used: FreeObject.default({}),
    attempt: z.int().min(1).optional(),
  })
  .refine(({ status, exit_code }) => ENDS[status] !== 'completed' || exit_code === 0, {
    path: ['exit_code'],
    error: 'must be 0 when the status is success',
  })
  .refine(({ status, exit_code }) => status !== 'failed' || exit_code !== 0, {
    path: ['exit_code'],
    error: 'must not be 0 when the status is failed',
  })
export type WorkResult = Readonly<z.output<typeof WorkResult>>

const ErrorPayload = z.object({
  error_code: z.int().min(5001).max(5999),
  error_message: z.string(),
  error_context: FreeObject.optional(),
})

const readerOf =
  <Shape extends z.ZodType>(shape: Shape) =>
  (payload: JsonObject): Readonly<z.output<Shape>> =>
    readPart(shape, payload, ['payload'])

export const readWorkRequest = readerOf(WorkRequest)
export const readWorkStatus = readerOf(WorkStatus)
export const readHeartbeat = readerOf(Heartbeat)
export const readWorkResult = readerOf(WorkResult)
const readErrorPayload = readerOf(ErrorPayload)

/** Agents in the field call the context `context`. */
export function readError(payload: JsonObject) {
  const { error_context, ...error } = readErrorPayload(payload)
  const other = payload['context']
  return { ...error, error_context: error_context ?? (isJsonObject(other) ? other : {}) }
}
