import { isUtf8 } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller, Self } from '../../domain/env.ts'
import { viewerOf } from '../../domain/lookup.ts'
import { hashOfSecret } from '../../domain/trust/keys.ts'
import { PROJECT_TOKEN_TYP } from '../../domain/trust/project-token.ts'
import { KNOWN_TYP } from '../../domain/trust/trust.ts'
import type { View } from '../../domain/view.ts'
import { HOW_TO_GET_IN } from '../../engine/dispatch/access.ts'
import type { ReadToken } from '../../engine/peers/project-tokens.ts'
import type { Clock, KnownAgents } from '../../engine/ports/ports.ts'
import { agentIdMistake } from '../../protocol/agent/id.ts'
import { isAgentId } from '../../protocol/agent/is-agent-id.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { IdentifyOwn } from './guard.ts'

export interface IdentifyDeps {
  self: Self
  operatorKey: string
  /** Whether callers without a key are let in. */
  open: boolean
  /** Looked into on every request: what was revoked a moment ago is refused, also on a connection that is open. */
  view: Pick<View, 'peers' | 'keys' | 'guests'>
  clock: Pick<Clock, 'now'>
  readToken: ReadToken
  /** Undefined: registered with an exchange or not, whoever has no key here is a stranger. */
  known?: KnownAgents | undefined
  /** Who makes a call that came over the hub, by the ticket that the daemon gave itself for it. */
  hubCaller?: ((ticket: string) => Caller | undefined) | undefined
  /** Knows people by their session; undefined where no page is served. */
  person?: IdentifyOwn | undefined
}

/** What the ticket of a call that came over the hub begins with. */
export const HUB_TICKET = 'cacp_hub_'

export type Identify = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>

/** From headers to Caller. A key that is wrong is refused even where none is needed: it is a mistake to tell. */
export function createIdentify(deps: IdentifyDeps): Identify {
  const { self, open, view, clock, readToken, known, hubCaller, person } = deps
  const operatorKey = Buffer.from(deps.operatorKey)

  return (headers) => {
    const atDashboard = person?.(headers)
    if (atDashboard !== undefined) return atDashboard
    const agentId = agentIdOf(headers['x-agent-id'])
    const bearer = bearerOf(headers.authorization)
    const token = oneOf(headers['x-project-token'], 'X-Project-Token')
    if (token === undefined) return bearer === undefined ? keyless(agentId) : keyed(bearer, agentId)
    if (bearer === undefined || bearer === token) return projectCaller(token, agentId)
    // Whoever shows both must be right twice, and may then do what the token says: it is the narrower one.
    return Promise.resolve(keyed(bearer, undefined)).then(() => projectCaller(token, agentId))
  }

  function keyed(bearer: string, agentId: string | undefined): Caller | Promise<Caller> {
    if (bearer.startsWith('cacp_sk_')) return peerWith(bearer, agentId)
    if (bearer.startsWith(HUB_TICKET)) {
      const caller = hubCaller?.(bearer.slice(HUB_TICKET.length))
      if (caller !== undefined) return caller
    } else if (bearer.startsWith('cacp_op_')) {
      if (isSame(Buffer.from(bearer), operatorKey)) return operator(agentId)
    } else if (bearer.split('.').length === 3) {
      const typ = typOf(bearer)
      if (typ === PROJECT_TOKEN_TYP) return projectCaller(bearer, agentId)
      if (typ === KNOWN_TYP) return knownCaller(bearer, agentId)
    }
    throw invalidKey()
  }

  function operator(agentId: string | undefined): Caller {
    if (agentId === undefined || agentId === self.agentId)
      return { kind: 'operator', agentId: self.agentId, repoName: self.repo }
    if (view.peers.get(agentId)?.trust !== 'approved') return { kind: 'operator', agentId, repoName: null }
    throw new Fault('forbidden', `X-Agent-ID: ${agentId} is the agent of another daemon and acts there`, {
      next: 'Leave X-Agent-ID out to act as the agent of this daemon',
    })
  }

  /** The key decides who calls; the header can only repeat it. */
  function peerWith(key: string, agentId: string | undefined): Caller {
    const hash = hashOfSecret(key)
    const found = view.keys.get(hash)
    const isLive =
      found !== undefined &&
      isSame(Buffer.from(found.hash), Buffer.from(hash)) &&
      (found.retires_at === null || found.retires_at > clock.now())
    const peer = isLive ? view.peers.get(found.agent_id) : undefined
    if (peer?.trust !== 'approved') throw invalidKey()
    assertOwnName(agentId, peer.agent_id)
    return { ...viewerOf(peer), credential: hash.slice(0, 8), keyId: hash }
  }

  async function projectCaller(token: string, agentId: string | undefined): Promise<Caller> {
    const { token_id, project_id, subject, permissions } = await readToken(token)
    assertOwnName(agentId, subject)
    return {
      kind: 'token',
      agentId: subject,
      repoName: subject === self.agentId ? self.repo : null,
      grant: { projectId: project_id, permissions: new Set(permissions) },
      credential: token_id,
    }
  }

  async function knownCaller(jwt: string, agentId: string | undefined): Promise<Caller> {
    const proven = await known?.verify(jwt, self.agentId)
    if (proven === undefined || view.peers.get(proven.agentId)?.trust === 'revoked') throw invalidKey()
    assertOwnName(agentId, proven.agentId)
    return { kind: 'known', agentId: proven.agentId, repoName: null }
  }

  function keyless(agentId: string | undefined): Caller {
    const kind = open ? 'open' : 'anonymous'
    const own: Caller = { kind, agentId: self.agentId, repoName: open ? self.repo : null }
    if (agentId === undefined || agentId === self.agentId) return own
    const peer = open ? view.peers.get(agentId) : undefined
    if (peer === undefined && open && isMadeUp(agentId)) return { ...own, called: agentId }
    if (peer === undefined || peer.trust === 'pending') return { kind, agentId, repoName: null }
    if (peer.trust === 'revoked' || peer.identity !== undefined)
      throw new Fault('unauthorized', `X-Agent-ID: ${agentId} has to show its key here`, {
        next: HOW_TO_GET_IN,
      })
    return { kind: 'peer', agentId, repoName: peer.repo_name || null, isNameBelieved: true }
  }

  /** A name that a program gave its agent by itself, and that nobody has worked under here. */
  function isMadeUp(agentId: string): boolean {
    return !agentId.startsWith('aid://') && view.guests.get(agentId) === undefined
  }
}

function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const key = /^Bearer\s*(.*)$/i.exec(authorization)?.[1]
  if (key === undefined)
    throw new Fault('unauthorized', 'Authorization: must be Bearer <key>', { next: HOW_TO_GET_IN })
  return key === '' ? undefined : key
}

function agentIdOf(header: string | string[] | undefined): string | undefined {
  const given = oneOf(header, 'X-Agent-ID')
  if (given === undefined) return undefined
  const bytes = Buffer.from(given, 'latin1')
  const text = isUtf8(bytes) ? bytes.toString('utf8') : given
  if (isAgentId(text)) return text
  throw new Fault('invalid_request', agentIdMistake('X-Agent-ID'))
}

function oneOf(header: string | string[] | undefined, name: string): string | undefined {
  if (typeof header === 'object') throw new Fault('invalid_request', `${name}: must be sent once`)
  return header === '' ? undefined : header
}

function assertOwnName(given: string | undefined, own: string): void {
  if (given === undefined || given === own) return
  throw new Fault('forbidden', `X-Agent-ID: this key is of ${own}, which cannot act as ${given}`, {
    next: 'Leave X-Agent-ID out, or send your own',
    data: { agentId: own },
  })
}

/** Takes as long whatever the difference is; the length is no secret. */
const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/** What a JWT says that it is for: only to know whom to ask whether it is. */
function typOf(jwt: string): unknown {
  const header = jsonIn(Buffer.from(jwt.slice(0, jwt.indexOf('.')), 'base64url').toString())
  return isJsonObject(header) ? header['typ'] : undefined
}

/** The same for a key that never was, one that is no more, and one of somebody who was shut out. */
const invalidKey = (): Fault =>
  new Fault('unauthorized', 'Authorization: this key is not valid here', { next: HOW_TO_GET_IN })
