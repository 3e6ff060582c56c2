import * as z from 'zod'
import type { CheckedCapability } from '../../protocol/agent/capability.ts'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import type { InputMessage } from '../../protocol/run/content.ts'
import { EMPTY_REQUEST, promptOf, type RunRequest } from '../../protocol/run/request.ts'
import { parseStamp } from '../../protocol/stamp.ts'
import { Uuid } from '../../protocol/text/uuid.ts'
import { namedShape } from '../../protocol/words.ts'
import { chosenCapability, lineageOf, read } from './read.ts'

const Moment = z.union([
  z.string().refine((text) => parseStamp(text) !== undefined, 'must be an ISO 8601 date and time'),
  z.number(),
])

/** The request of the transport document. Unknown keys are ignored. */
export const AgentRequest = namedShape('AgentRequest', {
  request_id: Uuid.nullish().describe('Generated when absent; the same id is the same request'),
  session_id: Uuid,
  root_request_id: Uuid.nullish().describe('The request itself when absent'),
  parent_request_id: Uuid.nullish().describe('Only together with root_request_id'),
  timestamp: Moment.nullish(),
  payload: FreeObject.describe('What the inputs of the capability describe, such as {"query": "…"}'),
  metadata: FreeObject.default({}).describe('`capability` names one of the card; the first when absent'),
})

export interface Asked {
  /** Its parameters are the inputs of the capability, which are not checked yet. */
  readonly request: RunRequest
  readonly capability: CheckedCapability
  /** The path of the inputs in the body. */
  readonly inputsAt: string
}

export interface AskEnv {
  readonly capabilities: readonly CheckedCapability[]
  newId(): string
}

export function toRun(body: unknown, { capabilities, newId }: AskEnv): Asked {
  const asked = read(AgentRequest, body)
  const request_id = asked.request_id ?? newId()
  const lineage = lineageOf({ ...asked, request_id })
  const { payload, metadata } = asked
  const capability = chosenCapability(capabilities, metadata['capability'], 'metadata.capability')
  const request: RunRequest = {
    ...EMPTY_REQUEST,
    request_id,
    dialect: 'coreason',
    session_id: asked.session_id,
    work_type: capability.work_type,
    messages: messagesOf(payload),
    parameters: payload,
    files: filesIn(payload),
    lineage,
    wire: { metadata },
  }
  return { request, capability, inputsAt: 'payload' }
}

/** The question in the inputs as a message, so that it is in the history of the session. */
function messagesOf(parameters: JsonObject): InputMessage[] {
  const text = promptOf({ ...EMPTY_REQUEST, request_id: '', dialect: 'coreason', parameters })
  return text === '' ? [] : [{ role: 'user', content: [{ type: 'text', text }] }]
}

function filesIn({ files }: JsonObject): string[] {
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
}
