import * as z from 'zod'
import type { RouteAbout } from '../../../describe/openapi.ts'
import { Conversation } from '../../../dialects/cap/chat.ts'
import { HealthCheckResponse } from '../../../dialects/cap/health.ts'
import { ServiceRequest } from '../../../dialects/cap/service-request.ts'
import { ServiceResponse } from '../../../dialects/cap/service-response.ts'
import { StreamPacket } from '../../../dialects/cap/stream-packet.ts'
import { AgentRequest } from '../../../dialects/coreason/agent-request.ts'
import { CloudEvent } from '../../../dialects/coreason/cloud-events.ts'
import { TransportError } from '../../../dialects/coreason/errors.ts'
import { UserErrorEvent } from '../../../dialects/coreason/presentation.ts'
import { FreeObject } from '../../../protocol/json/json.ts'
import { answered } from '../../routes/about.ts'

export const ASSIST_ABOUT: RouteAbout = {
  summary: 'Invoke Agent',
  description:
    'A body with `context` is a ServiceRequest and is answered by a ServiceResponse or StreamPackets; one without is an AgentRequest and is answered by the outputs of the capability or CloudEvents. `Accept` chooses between an answer at the end and a stream; else the delivery mode of the capability does.',
  body: { 'application/json': z.union([AgentRequest, ServiceRequest]) },
  headers: {
    'Last-Event-ID': 'With the same request: only the events after this one of its stream',
  },
  answers: {
    200: {
      description: 'The answer, or an Event Stream whose data are these objects as JSON text',
      contents: {
        'application/json': z.union([ServiceResponse, FreeObject]),
        'text/event-stream': z.union([CloudEvent, StreamPacket]),
      },
    },
    204: { description: 'Nothing comes after that event any more' },
  },
  refusal: z.union([TransportError, UserErrorEvent]),
}

export const CONVERSATION_ABOUT: RouteAbout = {
  summary: 'Get what was said in a conversation, as ChatMessages.',
  answers: answered('Oldest first', Conversation),
  refusal: UserErrorEvent,
}

export const CAP_HEALTH_ABOUT: RouteAbout = {
  summary: 'Get the health of the service, as the CAP wire format tells it.',
  answers: answered('It answers', HealthCheckResponse),
}
