import * as z from 'zod'
import type { Contents, DescribedRoute, RouteAbout } from '../../describe/openapi.ts'
import { Registration } from '../../domain/peers/peers.ts'
import { PairRequest } from '../../domain/trust/pairing.ts'
import { FreeObject } from '../../protocol/json/json.ts'
import { Sha256 } from '../../protocol/words.ts'

const json = (schema: z.ZodType): Contents => ({ 'application/json': schema })

/** Its answer where there is but one, in JSON. */
export const answered = (description: string, schema: z.ZodType): RouteAbout['answers'] => ({
  200: { description, contents: json(schema) },
})

const BYTES: Contents = { 'application/octet-stream': null }

const Health = z
  .looseObject({
    status: z.enum(['healthy', 'degraded']),
    reason: z.string().optional(),
    next: z.string().optional(),
    agentId: z.string(),
    repo: z.string(),
    peerCount: z.int(),
    recovered: z.boolean(),
    warnings: z.array(z.string()).optional().describe('what somebody has to look after; for members only'),
    hub: z
      .object({
        state: z.enum(['connecting', 'reading', 'offering', 'current']),
        troubles: z.array(z.object({ message: z.string(), next: z.string() })),
      })
      .optional()
      .describe('how it is doing with its hub; for members only, and what is wrong for the operator only'),
  })
  .meta({ id: 'Health' })

const JsonRpcId = z.union([z.string(), z.number(), z.null()])

export const JsonRpcCall = z
  .object({
    jsonrpc: z.literal('2.0'),
    method: z.string(),
    params: FreeObject.optional(),
    id: JsonRpcId.optional(),
  })
  .meta({ id: 'JsonRpcCall' })

export const JsonRpcAnswer = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: JsonRpcId,
    result: z.unknown().optional(),
    error: z
      .object({
        code: z.int(),
        message: z.string(),
        data: z.union([FreeObject, z.array(FreeObject)]).optional(),
      })
      .optional(),
  })
  .meta({ id: 'JsonRpcAnswer' })

const document = (summary: string, description: string): RouteAbout => ({
  summary,
  answers: answered(description, FreeObject),
})

/** What the routes of the daemon itself say of themselves. */
export const ABOUT = {
  card: document('Get the agent card of CACP.', 'The card'),
  jwks: document('Get the public keys of this daemon.', 'A JWK set'),
  proof: {
    summary: 'Have the daemon sign a challenge, to prove that it holds its key.',
    answers: answered('A JWS', z.object({ proof: z.string() })),
  },
  methods: {
    summary: 'List the JSON-RPC methods.',
    answers: answered('Their names', z.object({ methods: z.array(z.string()) })),
  },
  openRpc: document('Get the OpenRPC document of the JSON-RPC methods.', 'An OpenRPC 1.3 document'),
  openApi: document('Get this document.', 'An OpenAPI 3.1 document'),
  health: {
    summary: 'Get how the daemon is doing.',
    description: 'Callers with a key are told more.',
    answers: answered('It answers', Health),
  },
  peers: {
    summary: 'List the daemons of other repositories.',
    answers: answered('The peers', z.object({ peers: z.array(FreeObject) })),
  },
  register: {
    summary: 'Register a daemon as a peer.',
    description: 'Without a key it is only noted, for the operator to approve.',
    body: json(Registration.meta({ id: 'Registration' })),
    answers: answered(
      'It is known now',
      z.object({ status: z.enum(['registered', 'pending']), peerCount: z.int() }),
    ),
  },
  pair: {
    summary: 'Come with an invite: pin each other and exchange keys.',
    body: json(PairRequest.meta({ id: 'PairRequest' })),
    answers: answered('Both know each other now', FreeObject),
  },
  putFile: {
    summary: 'Store a file.',
    body: BYTES,
    answers: {
      201: {
        description: 'It is on disk',
        contents: json(z.looseObject({ sha256: Sha256, size: z.int(), savedTo: z.string() })),
      },
    },
  },
  getFile: {
    summary: 'Get a file by its SHA-256, also one that a peer has.',
    answers: { 200: { description: 'Its bytes', contents: BYTES } },
  },
} as const satisfies Record<string, RouteAbout>

/** `POST /` is not among the routes, because it goes past them. */
export const JSON_RPC_ROUTE: DescribedRoute = {
  verb: 'post',
  path: '/',
  access: 'public',
  about: {
    summary: 'Call JSON-RPC methods: one, or several in a batch.',
    description:
      'Every method has an access of its own; most need the key. Errors of methods are answers with status 200. ' +
      'The methods of A2A are called here, too; those that stream answer with events, each of them an answer.',
    body: json(z.union([JsonRpcCall, z.array(JsonRpcCall)])),
    headers: {
      'Idempotency-Key': 'The same key with the same call is done once',
      'X-Agent-ID': 'The agent that calls',
      'A2A-Version': 'In which version of A2A it is called; 0.3 without it',
    },
    answers: {
      200: {
        description: 'What became of it',
        contents: {
          ...json(z.union([JsonRpcAnswer, z.array(JsonRpcAnswer)])),
          'text/event-stream': JsonRpcAnswer,
        },
      },
      204: { description: 'There were only notifications' },
    },
    refusal: JsonRpcAnswer,
  },
}
