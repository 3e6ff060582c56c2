import type { RouteAbout } from '../../../describe/openapi.ts'
import { Envelope } from '../../../protocol/chiffon/envelope.ts'

const Message = Envelope.meta({ id: 'ChiffonEnvelope' })

export const CHIFFON_ABOUT: RouteAbout = {
  summary: 'Send a message of the Chiffon agent protocol.',
  description:
    'A work_request is acknowledged, or followed to its end where `Accept` names text/event-stream; the same one sent again is answered by how far it is.',
  body: { 'application/json': Message },
  answers: {
    200: {
      description: 'How it ended, or a stream whose data are envelopes as JSON text',
      contents: { 'application/json': Message, 'text/event-stream': Message },
    },
    202: { description: 'It is at work', contents: { 'application/json': Message } },
    204: { description: 'News of our own work was taken' },
  },
  refusal: Message,
}
