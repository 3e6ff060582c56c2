import type { AnyMethod } from '../../src/methods/row.ts'
import { isJsonObject } from '../../src/protocol/json/json.ts'
import type { Met } from './table.ts'
import type { Place } from './world.ts'

const NOBODY = 'aid://example.com/nobody@1.0.0'
/** Nothing listens there. */
const DEAD = 'http://127.0.0.1:9'

/** Where the example of a method would change who holds what, or reach out: params that do neither. */
const OTHERS: Readonly<Record<string, (place: Place) => object>> = {
  'cacp/project/join': ({ projectId }) => ({ projectId, repoName: 'backend-api' }),
  'cacp/project/archive': ({ projectId }) => ({ projectId, archived: false }),
  'cacp/repo/release': ({ projectId }) => ({ projectId, repoName: 'nobody-has-this' }),
  'cacp/project/removeRepo': ({ projectId }) => ({ projectId, repoName: 'nobody-has-this' }),
  'cacp/repo/settle': ({ projectId }) => ({ projectId, repoName: 'mobile-app', holder: NOBODY }),
  'cacp/context/redact': ({ projectId }) => ({ projectId, packetId: 'missing' }),
  'cacp/project/sync': ({ project }) => ({ project }),
  'cacp/contract/sync': ({ projectId, project }) => ({ projectId, contract: { ...project.contracts[0] } }),
  'cacp/context/sync': ({ projectId, project }) => ({ projectId, packet: project.context_history[0] }),
  'cacp/repo/sync': ({ projectId, project }) => ({ projectId, repo: project.repos[0] }),
  'cacp/gate/check': ({ projectId }) => ({ projectId, repo: 'backend-api' }),
  'cacp/feed/read': ({ projectId }) => ({ projectId }),
  // Reached already.
  'cacp/wait': ({ projectId }) => ({ until: { project: { projectId, status: 'planning' } } }),
  'cacp/peer/add': () => ({ url: DEAD }),
  'cacp/peer/remove': () => ({ agentId: NOBODY }),
  'cacp/peer/approve': () => ({ agentId: NOBODY }),
  'cacp/peer/revoke': () => ({ agentId: NOBODY }),
  'cacp/peer/renew': () => ({ agentId: NOBODY }),
  'cacp/peer/sync': () => ({}),
  'cacp/hub/connect': () => ({ url: 'nats://127.0.0.1:9' }),
  'cacp/adp/add': () => ({ agentId: NOBODY }),
  'cacp/invite/create': () => ({}),
}

/** A call of a method about what is in this place. */
export function paramsFor({ name, example }: AnyMethod, place: Place): Record<string, unknown> {
  const given = OTHERS[name]?.(place) ?? (example.params as object)
  const { source_agent: _, ...params } = given as Record<string, unknown>
  const { projectId, contractId, packetId, requestId } = place
  const ids: Record<string, unknown> = { projectId, contractId, packetId: packetId, requestId }
  const own = Object.fromEntries(Object.entries(ids).filter(([key]) => key in params))
  const withRequest = name === 'cacp/file/fulfillRequest' ? { projectId } : {}
  return { ...params, ...(name in OTHERS ? {} : own), relatedContracts: [], ...withRequest }
}

export const isAbout = (params: Record<string, unknown>, { projectId }: Place): boolean =>
  params['projectId'] === projectId ||
  JSON.stringify(params['until'] ?? null).includes(projectId) ||
  (isJsonObject(params['project']) && params['project']['project_id'] === projectId)

export interface Answer {
  readonly error?: { readonly message: string; readonly data?: { readonly kind?: string } }
  readonly result?: unknown
}

/** What an answer says of how far the caller came. */
export function metIn(answer: Answer): Met {
  const refusedInResult = isJsonObject(answer.result) && answer.result['status'] === 'error'
  const kind = refusedInResult ? (answer.result as { kind?: string }).kind : answer.error?.data?.kind
  if (kind === 'unauthorized') return '401'
  if (kind === 'forbidden') return '403'
  if (kind === 'not_member') return 'not a member'
  if (kind === 'unknown_project') return 'hidden'
  return kind === 'not_found' && answer.error?.message.startsWith('No project ') ? 'hidden' : 'through'
}
