import * as z from 'zod'
import type { RouteAbout } from '../../../describe/openapi.ts'
import { AgentRequest } from '../../../dialects/agent-api/request.ts'

const WireObject = z
  .looseObject({
    sequence_number: z.int().nullable(),
    object: z.enum(['response', 'message', 'content']),
    status: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'AgentApiObject' })

export const PROCESS_ABOUT: RouteAbout = {
  summary: 'Ask the agent, in the words of the Agent API.',
  description: 'With `stream: false` the last event is the answer.',
  body: { 'application/json': AgentRequest.meta({ id: 'AgentApiRequest' }) },
  answers: {
    200: {
      description: 'The response, or a stream whose data are these objects as JSON text',
      contents: { 'application/json': WireObject, 'text/event-stream': WireObject },
    },
  },
  refusal: WireObject,
}

export const SERVICE_ABOUT: RouteAbout = {
  summary: 'Get what this service is.',
  answers: {
    200: {
      description: 'Its name, version and endpoints',
      contents: {
        'application/json': z.looseObject({
          service: z.string(),
          version: z.string(),
          endpoints: z.record(z.string(), z.string()),
        }),
      },
    },
  },
}
