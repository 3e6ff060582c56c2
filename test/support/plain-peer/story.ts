import { PlainPeer } from './plain-peer.ts'

export const OWN = 'aid://example.com/plain@1.0.0'
export const OTHER = {
  agentId: 'aid://example.com/other@1.0.0',
  endpoint: 'http://other:1/',
  repoName: 'other-app',
}
export const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/
export const PAST = '2020-01-01T00:00:00.000000'
export const FUTURE = '2030-01-01T00:00:00.000000'
export const BAD_PARAMS = { code: -32602 }
export const SERVER_ERROR = { code: -32000 }

export interface Sent {
  endpoint: string
  body: { method: string; params: Record<string, unknown>; id: string }
  headers: Record<string, string>
}

export function openPeer() {
  const sent: Sent[] = []
  const network = { reply: (): unknown => ({ jsonrpc: '2.0', result: {}, id: 1 }) }
  let millis = Date.UTC(2026, 0, 1)
  let ids = 0
  const peer = new PlainPeer({
    agentId: OWN,
    repoName: 'plain-api',
    endpoint: 'http://plain:1',
    clock: () => millis++,
    newId: () => `id-${++ids}`,
    send: async (endpoint, body, headers) => {
      sent.push({ endpoint, body: body as Sent['body'], headers })
      return network.reply()
    },
  })
  const register = () => peer.handleHttp('POST', '/peers/register', OTHER)
  return { peer, sent, network, register }
}

/** A project with the peer's own repo (and, if shared, one that nobody claimed) and a contract in it. */
export async function openContract({ isShared = false } = {}) {
  const opened = openPeer()
  const { peer } = opened
  const repo = (name: string) => ({ name, role: 'backend', language: 'python' })
  const repos = isShared ? [repo('plain-api'), repo('other-app')] : [repo('plain-api')]
  const { projectId } = await peer.call('cacp/project/create', { name: 'P', objective: 'o', repos })
  const proposal = { projectId, type: 'custom', name: 'C', content: { a: 1 } }
  const { contractId } = await peer.call('cacp/contract/propose', proposal)
  const on = (method: string, params: object = {}) =>
    peer.call(`cacp/${method}`, { projectId, contractId, ...params })
  const contract = () => on('contract/get', { includeHistory: true })
  const sync = async (changes: object) =>
    on('contract/sync', { contract: { ...(await contract()), ...changes } })
  const syncProject = async (changes: object) =>
    on('project/sync', { project: { ...(await on('project/get')), ...changes } })
  const packet = (packet_id: string, timestamp: string, reply_to: string | null = null) =>
    on('context/sync', {
      packet: {
        packet_id,
        from_repo: 'r',
        from_agent: 'a',
        timestamp,
        type: 'question',
        content: {},
        reply_to,
      },
    })
  return { ...opened, projectId, contractId, on, contract, sync, syncProject, packet }
}
