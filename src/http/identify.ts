import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller, Self } from '../domain/env.ts'
import type { Peer } from '../domain/model.ts'
import { HOW_TO_GET_A_KEY } from '../engine/access.ts'
import { isAid } from '../protocol/aid.ts'
import { Fault } from '../protocol/fault.ts'

export interface IdentifyDeps {
  self: Self
  operatorKey: string
  /** Whether callers without a key are let in. */
  open: boolean
  peer(agentId: string): Peer | undefined
}

export type Identify = (headers: IncomingHttpHeaders) => Caller

/** From headers to Caller. A key that is wrong is refused even where none is needed: it is a mistake to tell. */
export function createIdentify({ self, operatorKey, open, peer }: IdentifyDeps): Identify {
  const expected = Buffer.from(operatorKey)

  return (headers) => {
    const kind = credentialOf(headers.authorization)
    const agentId = agentIdOf(headers['x-agent-id'])
    if (agentId === undefined || agentId === self.agentId)
      return { kind, agentId: self.agentId, repoName: kind === 'anonymous' ? null : self.repo }
    const registered = kind === 'open' ? peer(agentId) : undefined
    if (registered?.trust === 'approved') return { kind: 'peer', agentId, repoName: registered.repo_name }
    return { kind, agentId, repoName: null }
  }

  function credentialOf(authorization: string | undefined): 'operator' | 'open' | 'anonymous' {
    const key = /^Bearer\s*(.*)$/i.exec(authorization ?? '')?.[1]
    if (authorization !== undefined && key === undefined)
      throw new Fault('unauthorized', 'Authorization: must be Bearer <key>', { next: HOW_TO_GET_A_KEY })
    if (key === undefined || key === '') return open ? 'open' : 'anonymous'
    const given = Buffer.from(key)
    if (given.length === expected.length && timingSafeEqual(given, expected)) return 'operator'
    throw new Fault('unauthorized', 'Authorization: this key is not valid here', { next: HOW_TO_GET_A_KEY })
  }
}

function agentIdOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  if (typeof header === 'string' && isAid(header)) return header
  throw new Fault('invalid_request', 'X-Agent-ID: must look like aid://example.com/backend-agent@1.0.0')
}
