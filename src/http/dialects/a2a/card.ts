import { a2aCard, a2aCardForAll } from '../../../dialects/a2a/card.ts'
import { likelyVersion } from '../../../dialects/a2a/versions.ts'
import type { Caller } from '../../../domain/env.ts'
import { FreeObject } from '../../../protocol/json/json.ts'
import { sendJson } from '../../reply/send.ts'
import { answered } from '../../routes/about.ts'
import type { Route } from '../../routes/routes.ts'
import type { DialectDeps } from '../dialect-routes.ts'

export type CardDeps = Pick<DialectDeps, 'self' | 'version' | 'services' | 'isOpen'>

export function cardOf({ self, version, services, isOpen }: CardDeps) {
  // The card is public, so it lists the kinds of work that everybody may ask for.
  const anybody: Caller = { kind: 'anonymous', agentId: self.agentId, repoName: null }
  return a2aCard({ ...self, version, workTypes: services.runs.workTypes(anybody), isOpen })
}

/** Whoever names version 1.0 gets its card alone; all others, one that readers of both versions understand. */
export function a2aCardRoutes(deps: CardDeps): readonly Route[] {
  const card = cardOf(deps)
  const forAll = a2aCardForAll(card, deps.self.endpoint)
  return [
    {
      verb: 'get',
      path: '/.well-known/agent-card.json',
      access: 'public',
      about: {
        summary: 'Get the agent card of A2A.',
        headers: { 'A2A-Version': '1.0 for the card of that version alone' },
        answers: answered('The card', FreeObject),
      },
      serve: async ({ headers }, response) => {
        const asked = headers['a2a-version']
        response.vary('A2A-Version')
        sendJson(response, 200, typeof asked === 'string' && likelyVersion(asked) === '1.0' ? card : forAll)
      },
    },
  ]
}
