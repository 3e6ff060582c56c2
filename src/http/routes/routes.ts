import type { Request, Response } from 'express'
import type * as z from 'zod'
import { keySet } from '../../describe/agent-card.ts'
import { openApiDocument, type RouteAbout } from '../../describe/openapi.ts'
import type { Caller, Env, Self } from '../../domain/env.ts'
import { approvedCount, Registration } from '../../domain/peers/peers.ts'
import { PairRequest } from '../../domain/trust/pairing.ts'
import { CHALLENGE, PROOF_PATH, PROOF_TYP, proofClaims } from '../../domain/trust/proof.ts'
import { mayCall } from '../../engine/dispatch/access.ts'
import type { AccessWatch } from '../../engine/peers/access-watch.ts'
import type { Clock, Files, RotatingIdentity, Store } from '../../engine/ports/ports.ts'
import { peersFor } from '../../methods/peers/peer.ts'
import type { Access } from '../../methods/row.ts'
import type { Services } from '../../methods/services.ts'
import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Permission } from '../../protocol/permission.ts'
import { epochSeconds } from '../../protocol/stamp.ts'
import { Sha256 } from '../../protocol/words.ts'
import { assertContentType } from '../guard/gate.ts'
import type { IdentifyOwn } from '../guard/guard.ts'
import { whileLetIn } from '../guard/while-let-in.ts'
import { type McpDeps, mcpRoutes } from '../mcp/mcp.ts'
import { sendBytes, sendJson } from '../reply/send.ts'
import { jsonBody, streamBody } from '../request/body.ts'
import { ABOUT, JSON_RPC_ROUTE } from './about.ts'
import { eventRoutes } from './events.ts'

export interface RouteDeps extends McpDeps {
  self: Self
  version: string
  /** Made anew for whoever asks, because a rotation changes it. */
  card: () => JsonObject
  identity: Pick<RotatingIdentity, 'publicKeys' | 'sign'>
  openRpc: () => JsonObject
  methodNames: readonly string[]
  store: Store
  services: Services
  files: Files
  clock: Clock
  accessWatch: AccessWatch
  startedAt: number
}

export interface Route {
  verb: 'get' | 'post' | 'delete'
  path: string
  access: Access
  /** What a project token must allow; none: never with a token. */
  permission?: Permission
  /** Strangers may try here, but not often. */
  isPairing?: true
  /** It belongs to the page that people see, and may be called by that page alone. */
  isPage?: true
  /** False where what comes of it is noted in the audit trail by itself. */
  isNoted?: false
  knows?: IdentifyOwn
  /** For the OpenAPI document. A route without it fails a test. */
  about?: RouteAbout
  serve(request: Request, response: Response, caller: Caller): Promise<void>
  /** Tells what was refused in the route's own words, also a missing key; left out, it is told as JSON. */
  refuse?(fault: Fault, request: Request, response: Response): void
}

/** Everything besides `POST /`: one row per route, each with the access it needs. */
export function routes(deps: RouteDeps): readonly Route[] {
  const { self, version, card, identity, openRpc, methodNames, store, services, files, clock, accessWatch } =
    deps

  /** A daemon that is not known yet comes with what it says of itself. */
  const forStrangers = <Body extends { readonly agentId: string }>(
    path: string,
    about: RouteAbout,
    schema: z.ZodType<Body>,
    admit: (body: Body, env: Env) => Promise<unknown>,
  ): Route => ({
    verb: 'post',
    path,
    access: 'public',
    isPairing: true,
    about,
    serve: async (request, response, caller) => {
      const body = await jsonBody(request, schema)
      response.locals['about'] = body.agentId
      const { newId, newNonce } = clock
      const env = { caller, self, now: clock.now(), newId, newNonce, attachment: null }
      sendJson(response, 200, await admit(body, env))
    },
  })

  /** What is wrong there may name projects that others do not see. */
  const hubFor = ({ kind }: Caller) => {
    const found = services.hub.status()
    if (found === null) return {}
    const isAtHome = kind === 'operator' || kind === 'open'
    const troubles = isAtHome ? found.troubles.map(({ message, next }) => ({ message, next })) : []
    return { hub: { state: found.state, troubles } }
  }

  /** How each peer is doing takes a while to find out, so strangers cannot have it done. */
  const forMembers = (caller: Caller) => {
    const peers = services.peers.list().filter((peer) => peer.trust === 'approved')
    return {
      version,
      uptimeSeconds: Math.floor((performance.now() - deps.startedAt) / 1000),
      warnings: services.peers.warnings(),
      ...hubFor(caller),
      peers: {
        healthy: peers.filter((peer) => peer.isHealthy).length,
        behind: peers.filter(({ behind }) => behind !== 0).length,
      },
    }
  }

  return [
    getJson('/.well-known/agent.json', ABOUT.card, card),
    getJson('/.well-known/jwks.json', ABOUT.jwks, () => keySet(identity.publicKeys())),
    getJson(`${PROOF_PATH}/:challenge`, ABOUT.proof, async ({ params, socket }) => {
      const challenge = String(params['challenge'])
      if (!CHALLENGE.test(challenge))
        throw new Fault('invalid_params', 'challenge: must be 22 to 64 characters of base64url')
      const { agentId, endpoint } = self
      const { localAddress: address = '' } = socket
      const iat = epochSeconds(clock.now())
      const claims = proofClaims({ agentId, challenge, endpoint, address, iat })
      return { proof: await identity.sign(claims, PROOF_TYP) }
    }),
    getJson('/methods', ABOUT.methods, () => ({ methods: methodNames })),
    getJson('/openrpc.json', ABOUT.openRpc, openRpc),
    getJson('/health', ABOUT.health, async (_request, caller) => {
      // Not for everybody: it writes to find out.
      if (caller.kind === 'operator') await store.checkDiskSpace()
      const { status, problem, recovered, ...stored } = store.health()
      return {
        status,
        ...(problem === undefined ? {} : { reason: problem.message, next: problem.next }),
        agentId: self.agentId,
        repo: self.repo,
        peerCount: approvedCount(store.view),
        recovered,
        ...(mayCall(caller, 'read') ? { ...forMembers(caller), store: stored } : {}),
      }
    }),
    {
      ...getJson('/peers', ABOUT.peers, (_request, caller) => ({
        peers: peersFor(caller, services.peers.list()),
      })),
      access: 'read',
    },
    forStrangers('/peers/register', ABOUT.register, Registration, (body, env) =>
      services.peers.register(body, env),
    ),
    forStrangers('/pair', ABOUT.pair, PairRequest, (body, env) => services.pairing.admit(body, env)),
    {
      verb: 'post',
      path: '/files',
      access: 'write',
      permission: 'file:share',
      about: ABOUT.putFile,
      serve: async (request, response, caller) => {
        assertContentType(request.headers, 'application/octet-stream')
        const bytes = whileLetIn(streamBody(request, LIMITS.fileBytes), caller, store.view)
        const stored = await services.files.take(bytes, caller)
        sendJson(response, 201, { ...stored, savedTo: `/files/${stored.sha256}` })
      },
    },
    {
      verb: 'get',
      path: '/files/:sha256',
      access: 'read',
      permission: 'project:read',
      about: ABOUT.getFile,
      serve: async (request, response, caller) => {
        const sha256 = Sha256.safeParse(request.params['sha256']).data
        const asker = { caller, isDaemon: request.headers['x-source-endpoint'] !== undefined }
        const isHere = sha256 !== undefined && (await services.files.bring(sha256, asker))
        const file = isHere ? await files.open(sha256) : undefined
        if (file === undefined)
          throw new Fault('not_found', 'No such file here', {
            next: 'Files go by their SHA-256 in lower-case hex',
          })
        response.writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-length': file.size,
          'content-disposition': 'attachment',
          'x-content-type-options': 'nosniff',
        })
        await sendBytes(response, whileLetIn(file.bytes, caller, store.view), accessWatch.watching(caller))
      },
    },
    ...mcpRoutes(deps),
    ...eventRoutes(deps),
  ]
}

/** What is made for whoever asks, who may be anybody. */
export const getJson = (
  path: string,
  about: RouteAbout,
  make: (request: Request, caller: Caller) => unknown,
): Route => ({
  verb: 'get',
  path,
  access: 'public',
  about,
  serve: async (request, response, caller) => sendJson(response, 200, await make(request, caller)),
})

/** These routes, and the one that describes them all. */
export function withOpenApi(routes: readonly Route[], about: { version: string; url: string }) {
  let made: JsonObject | undefined
  const own = getJson('/openapi.json', ABOUT.openApi, () => {
    // Made when somebody asks for the first time, because most daemons are never asked.
    made ??= openApiDocument([JSON_RPC_ROUTE, ...all], about)
    return made
  })
  const all: readonly Route[] = [...routes, own]
  return all
}
