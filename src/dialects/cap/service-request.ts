import * as z from 'zod'
import { derivedUuid } from '../../protocol/json/canonical.ts'
import { FreeObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { EMPTY_REQUEST, type RunRequest } from '../../protocol/run/request.ts'
import { Uuid } from '../../protocol/text/uuid.ts'
import { namedShape } from '../../protocol/words.ts'
import type { AskEnv, Asked } from '../coreason/agent-request.ts'
import { chosenCapability, lineageOf, read } from '../coreason/read.ts'

const Label = z.string().max(LIMITS.nameLength)

const Identity = namedShape('Identity', { id: Label, name: Label, role: Label.nullish() })

/** The request of the wire format. Unknown keys are ignored, on every level. */
export const ServiceRequest = namedShape('ServiceRequest', {
  request_id: Uuid.describe('The same id is the same request'),
  context: z.object({
    session_id: Label,
    user: Identity.describe('A claim; who asks is told by the key'),
    agent: Identity.nullish(),
  }),
  payload: z.object({
    query: z.string(),
    files: z
      .array(z.string().max(2048))
      .max(LIMITS.listItems)
      .default([])
      .describe('References for the agent; never fetched by the daemon'),
    conversation_id: Label.nullish().describe('Goes on where the conversation of this id was'),
    session_id: Label.nullish(),
    meta: FreeObject.default({}).describe('`capability` names one of the card; the first when absent'),
    request_id: Uuid.nullish(),
    root_request_id: Uuid.nullish(),
    parent_request_id: Uuid.nullish(),
  }),
})

export function toRun(body: unknown, { capabilities }: AskEnv): Asked {
  const { request_id, context, payload } = read(ServiceRequest, body)
  const { query, files, meta } = payload
  // Derived, not random: the same request sent again must not look like another one.
  const inner = payload.request_id ?? derivedUuid('payload', request_id)
  const lineage = lineageOf({ ...payload, request_id: inner }, 'payload.')
  const { capability: wanted, ...hints } = meta
  const capability = chosenCapability(capabilities, wanted, 'payload.meta.capability')
  const request: RunRequest = {
    ...EMPTY_REQUEST,
    request_id,
    dialect: 'cap',
    session_id: payload.conversation_id ?? payload.session_id ?? context.session_id,
    work_type: capability.work_type,
    messages: [{ role: 'user', content: [{ type: 'text', text: query }], name: context.user.name }],
    parameters: { ...hints, query },
    files,
    lineage,
    wire: { payload_request_id: inner, user: { id: context.user.id, name: context.user.name } },
  }
  return { request, capability, inputsAt: 'payload.meta' }
}

/** The two protocols share a path: only this one's requests have a context. */
export const isServiceRequest = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'context')
