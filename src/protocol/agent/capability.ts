import * as z from 'zod'
import { FreeObject, type Json, type JsonObject } from '../json/json.ts'
import type { Misfit } from '../read-as.ts'
import { ECHO_BOUNDS } from '../run/echo.ts'
import { DEFAULT_WORK } from '../run/request.ts'
import { Name, Text } from '../words.ts'
import { settingOf } from './settings.ts'

/** How an answer is delivered to a caller that does not choose. */
export const DeliveryMode = z.enum(['request_response', 'server_sent_events'])
export type DeliveryMode = z.infer<typeof DeliveryMode>

const ANSWER_INPUTS: JsonObject = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What is asked' } },
}

/** The outputs that every answer has; a capability with other outputs gets those that it names. */
const ANSWER_OUTPUTS: JsonObject = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string' },
    citations: { type: 'array', items: { type: 'object', required: ['uri', 'text'] } },
    artifacts: { type: 'array', items: { type: 'object', required: ['artifact_id', 'mime_type'] } },
    data: { description: 'The result as data, where the work has one besides its text' },
  },
}

/** Something that can be asked for at /v1/assist. `inputs` and `outputs` are JSON Schemas. */
export const Capability = z.strictObject({
  name: Name,
  description: Text.default(''),
  delivery_mode: DeliveryMode.default('request_response'),
  /** The type of work that it means for the agent behind the daemon. */
  work_type: Name.default(DEFAULT_WORK),
  inputs: FreeObject.default(ANSWER_INPUTS),
  outputs: FreeObject.default(ANSWER_OUTPUTS),
})
export type Capability = Readonly<z.output<typeof Capability>>

const DEFAULT_CAPABILITIES: readonly z.input<typeof Capability>[] = [
  { name: DEFAULT_WORK, description: 'Answers a question about the projects, contracts and context here' },
  {
    name: 'summarize_project',
    description: 'Tells how a project stands',
    work_type: 'summarize_project',
    inputs: { type: 'object', properties: { project: { type: 'string', description: 'Its id or name' } } },
  },
  {
    name: 'check_contract',
    description: 'Checks a sample against what a contract says is sent',
    work_type: 'check_contract',
    inputs: {
      type: 'object',
      required: ['contractId', 'payload'],
      properties: { contractId: { type: 'string' }, part: { type: 'string' }, payload: {} },
    },
  },
  {
    name: 'echo',
    description: 'Says what it is told',
    work_type: 'echo',
    inputs: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        repeat: {
          type: 'integer',
          minimum: 1,
          maximum: ECHO_BOUNDS.repeat,
          description: `How often; at most ${ECHO_BOUNDS.length} characters in all`,
        },
        delay_ms: { type: 'integer', minimum: 0, maximum: ECHO_BOUNDS.delayMillis },
      },
    },
  },
]

/** `capabilities` in config.json. A request that names none gets the first. */
export const Capabilities = settingOf(
  z
    .array(Capability)
    .min(1)
    .max(100)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length),
)
  .prefault([...DEFAULT_CAPABILITIES])
  .describe(
    'a list of 1 to 100 objects such as {"name": "summarize", "delivery_mode": "server_sent_events", "outputs": {"type": "object", "properties": {"summary": {"type": "string"}}}}, each with a name of its own and any of description, delivery_mode ("request_response" or "server_sent_events"), work_type, inputs, outputs (JSON Schemas)',
  )

/** What is wrong with a value, and where in it. */
export type WrongShape = Pick<Misfit, 'field' | 'problem'>

/** Undefined when nothing is wrong. */
export type ShapeCheck = (value: Json) => Promise<WrongShape | undefined>

export interface CheckedCapability extends Capability {
  readonly checkInputs: ShapeCheck
  readonly checkOutputs: ShapeCheck
}
