import { chatMessages } from '../../../dialects/cap/chat.ts'
import type { HealthCheckResponse } from '../../../dialects/cap/health.ts'
import { CAP } from '../../../dialects/cap/wire.ts'
import { factsOfFault } from '../../../dialects/coreason/errors.ts'
import { Fault } from '../../../protocol/fault.ts'
import { derivedUuid } from '../../../protocol/json/canonical.ts'
import { sendJson } from '../../reply/send.ts'
import { getJson, type Route } from '../../routes/routes.ts'
import type { DialectDeps } from '../dialect-routes.ts'
import { CAP_HEALTH_ABOUT, CONVERSATION_ABOUT } from './about.ts'
import { refuse } from './assist.ts'

/** What the CAP wire format has besides /v1/assist: the health of the service, and what was said before. */
export function capRoutes({ self, version, store, startedAt, services }: DialectDeps): readonly Route[] {
  const agent_id = derivedUuid('agent', self.agentId, self.storeId)

  return [
    getJson(
      '/v1/health',
      CAP_HEALTH_ABOUT,
      (): HealthCheckResponse => ({
        status: store.health().status === 'healthy' ? 'ok' : 'degraded',
        agent_id,
        version,
        uptime_seconds: Math.round(performance.now() - startedAt) / 1000,
      }),
    ),
    {
      verb: 'get',
      path: '/v1/conversations/:conversation_id',
      access: 'run',
      about: CONVERSATION_ABOUT,
      serve: async ({ params }, response, caller) => {
        const conversation_id = String(params['conversation_id'])
        const turns = await services.runs.history(conversation_id, caller)
        if (turns.length === 0)
          throw new Fault('not_found', `No conversation ${conversation_id.slice(0, 100)} of yours here`, {
            next: 'Begin it with POST /v1/assist and this conversation_id',
          })
        sendJson(response, 200, { conversation_id, messages: chatMessages(turns) })
      },
      refuse: (fault, _request, response) => refuse(CAP, factsOfFault(fault), response),
    },
  ]
}
