import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { RouteAbout } from '../describe/openapi.ts'
import type { Caller, Env, Self } from '../domain/env.ts'
import { Registration } from '../domain/peers.ts'
import { mayCall } from '../engine/access.ts'
import type { Clock, Files, Store } from '../engine/ports.ts'
import type { Access } from '../methods/row.ts'
import type { PeerReport, Services } from '../methods/services.ts'
import { Fault } from '../protocol/fault.ts'
import type { JsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { Sha256 } from '../protocol/words.ts'
import { streamBody } from './body.ts'
import { assertContentType } from './gate.ts'
import { jsonBody } from './json-body.ts'
import { ABOUT } from './routes-about.ts'
import { sendJson } from './send.ts'

export interface RouteDeps {
  self: Self
  version: string
  card: JsonObject
  openRpc: JsonObject
  methodNames: readonly string[]
  store: Store
  services: Services
  files: Files
  clock: Clock
  startedAt: number
}

export interface Route {
  verb: 'get' | 'post'
  path: string
  access: Access
  /** For the OpenAPI document. A route without it fails a test. */
  about?: RouteAbout
  /** Knows credentials that only this route takes; undefined for all others. */
  identify?(headers: IncomingHttpHeaders): Caller | undefined
  serve(request: Request, response: Response, caller: Caller): Promise<void>
  /** Tells what was refused in the route's own words, also a missing key; left out, it is told as JSON. */
  refuse?(fault: Fault, request: Request, response: Response): void
}

/** Everything besides `POST /`: one row per route, each with the access it needs. */
export function routes(deps: RouteDeps): readonly Route[] {
  const { self, version, card, openRpc, methodNames, store, services, files, clock } = deps

  return [
    document('/.well-known/agent.json', ABOUT.card, () => card),
    document('/methods', ABOUT.methods, () => ({ methods: methodNames })),
    document('/openrpc.json', ABOUT.openRpc, () => openRpc),
    {
      verb: 'get',
      path: '/health',
      access: 'public',
      about: ABOUT.health,
      serve: async (_request, response, caller) => {
        const peers = services.peers.list().filter((peer) => peer.trust === 'approved')
        const { status, recovered, ...stored } = store.health()
        const forMembers = mayCall(caller, 'read')
          ? {
              version,
              uptimeSeconds: Math.floor((performance.now() - deps.startedAt) / 1000),
              store: stored,
              peers: {
                healthy: peers.filter((peer) => peer.isHealthy).length,
                behind: peers.filter(isBehind).length,
              },
            }
          : {}
        sendJson(response, 200, {
          status,
          agentId: self.agentId,
          repo: self.repo,
          peerCount: peers.length,
          recovered,
          ...forMembers,
        })
      },
    },
    {
      verb: 'get',
      path: '/peers',
      access: 'read',
      about: ABOUT.peers,
      serve: async (_request, response) => {
        sendJson(response, 200, { peers: services.peers.list() })
      },
    },
    {
      verb: 'post',
      path: '/peers/register',
      access: 'public',
      about: ABOUT.register,
      serve: async (request, response, caller) => {
        const body = await jsonBody(request, Registration)
        const env: Env = { caller, self, now: clock.now(), newId: clock.newId, attachment: null }
        sendJson(response, 200, await services.peers.register(body, env))
      },
    },
    {
      verb: 'post',
      path: '/files',
      access: 'write',
      about: ABOUT.putFile,
      serve: async (request, response) => {
        assertContentType(request.headers, 'application/octet-stream')
        const stored = await files.put(streamBody(request), LIMITS.fileBytes)
        sendJson(response, 201, { ...stored, savedTo: `/files/${stored.sha256}` })
      },
    },
    {
      verb: 'get',
      path: '/files/:sha256',
      access: 'read',
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
        await pipeline(file.bytes as AsyncIterable<Uint8Array> & Readable, response)
      },
    },
  ]
}

const isBehind = ({ behind }: PeerReport): boolean => behind !== 0

function document(path: string, about: RouteAbout, make: () => unknown): Route {
  return {
    verb: 'get',
    path,
    access: 'public',
    about,
    serve: async (_request, response) => sendJson(response, 200, make()),
  }
}
