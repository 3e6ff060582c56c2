import type * as z from 'zod'
import type { Decision } from '../domain/change.ts'
import { isLocalAgent, type Named, type Shown, shownOf } from '../domain/delivery/receipt.ts'
import type { Caller, Env, Origin } from '../domain/env.ts'
import type { View } from '../domain/view.ts'
import type { Permission } from '../protocol/permission.ts'
import type { Services } from './services.ts'

/** The access that a caller needs. Every method and every route names exactly one. */
export type Access = 'public' | 'read' | 'write' | 'sync' | 'run' | 'operator'

/**
 * Which calls of a row are recorded in the audit log; refused calls always are. `changes`: those that changed
 * something, according to their result, and those that failed. `first`: all, but for a page that asks again and again only
 * the first within an hour.
 */
type Noted = 'always' | 'changes' | 'first' | 'never'

/** Follows from the access of a row that only reads or always acts; any other row has to say it. */
type AccessSpec =
  | { access: keyof typeof NOTED_BY_ACCESS; noted?: undefined }
  /** For what only the operator may look at. */
  | { access: 'operator'; noted: 'first' | 'never' }
  | { access: Exclude<Access, keyof typeof NOTED_BY_ACCESS>; noted: Noted }

const NOTED_BY_ACCESS = { public: 'never', read: 'never', write: 'always', operator: 'always' } as const

export const notedOf = (row: AccessSpec): Noted => row.noted ?? NOTED_BY_ACCESS[row.access]

type MethodSpec<Name extends string, Params extends z.ZodObject, Result extends z.ZodType> = AccessSpec & {
  name: Name
  /** One sentence in the imperative; shown by help, docs and OpenRPC. */
  summary: string
  /** The permission that a project token needs for this call, in its project alone; missing: never with a token. */
  permission?: Permission
  params: Params
  result: Result
  example: { params: z.input<Params>; result: z.input<Result> }
  /** An example of valid params for the field that was refused, added to the fault. */
  hint?: (field: string) => string
  /** Answers a refused object of a peer as a result, so that one bad object does not fail its whole batch. */
  refusesInResult?: true
  /** Checks each part of its params itself, so that a bad part affects only itself. */
  judgesParts?: true
  /** The file that a call carries inline. It is stored before the decision, which finds it in `env.attachment`. */
  attachment?(params: z.output<Params>): Uint8Array | null
  /** Files of this repository that a call declares. They are looked at before the decision, which finds that in `env.looks`. */
  declares?(params: z.output<Params>): readonly string[]
  /** What has to be done before the decision: a file that a call names is searched for, own files are looked at. */
  prepare?(services: Services, params: z.output<Params>, caller: Caller): Promise<unknown> | undefined
}

export interface Decided<Params extends z.ZodObject, Result extends z.ZodType> {
  /** A pure decision on the present state. */
  decide(view: View, params: z.output<Params>, env: Env): Decision<z.output<Result>>
  serve?: undefined
}

export interface Served<Params extends z.ZodObject, Result extends z.ZodType> {
  /** For methods that need more than the state: they use services, and change nothing themselves. */
  serve(services: Services, params: z.output<Params>, call: ServedCall): Promise<z.output<Result>>
  decide?: undefined
}

export interface ServedCall {
  readonly view: View
  readonly env: Env
  /** Missing for a call by this daemon itself. */
  readonly origin?: Origin | undefined
  /** Aborted when the caller stops waiting; missing if the caller cannot leave. */
  readonly gone?: (() => AbortSignal) | undefined
  /** Names the contracts and packets in the result; receipts for them are recorded once the result is sent. */
  readonly show?: ((shown: Shown) => void) | undefined
}

/** Serves a result and reports which contracts and packets it contains, for receipts. */
export const withReceipts = <Result>(
  { view, env, show }: ServedCall,
  answer: Promise<Result>,
  namesIn: (result: Result) => readonly Named[],
): Promise<Result> =>
  answer.then((result) => {
    if (show !== undefined && isLocalAgent(env.caller))
      for (const shown of shownOf(view, namesIn(result))) show(shown)
    return result
  })

/** A row of any types, for dispatch and the derived documents. */
export type AnyMethod = MethodSpec<string, z.ZodObject, z.ZodType> &
  (Decided<z.ZodObject, z.ZodType> | Served<z.ZodObject, z.ZodType>)

/** Two steps on purpose: in one object literal TypeScript would widen `'proposed'` to `string`. */
export function method<Name extends string, Params extends z.ZodObject, Result extends z.ZodType>(
  spec: MethodSpec<Name, Params, Result>,
) {
  type Spec = typeof spec
  return {
    decide: (decide: Decided<Params, Result>['decide']): Spec & Decided<Params, Result> => ({
      ...spec,
      decide,
    }),
    serve: (serve: Served<Params, Result>['serve']): Spec & Served<Params, Result> => ({ ...spec, serve }),
  }
}

/** The access of what members read of a project, and bearers of a token that may. */
export const readsProject = { access: 'read', permission: 'project:read' } as const

/** The access of what members change, and bearers of a token with this permission. */
export const changes = <Granted extends Permission>(permission: Granted) =>
  ({ access: 'write', permission }) as const

const PROJECT_ID = 'f0ebc7e6-3b58-4d02-abb1-b63e1e0ba7ac'
const CONTRACT_ID = '695296cc-d05a-4f43-99cd-ec3b6197461b'
const REPO_ID = '8a2d6c1e-94b7-8f35-a1c0-5d7e9b3f2046'
const PACKET_ID = '01934a7c-5b1e-7d20-9c44-f6a8e2b01d93'
const AGENT = 'aid://example.com/backend@1.0.0'
const TIME = '2026-11-16T09:00:00.000000Z'
const REVISION = '5f2c0d9e8b7a61534a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f'
const BY = { statement: REVISION, agent_id: AGENT, proof: 'signed' as const }
const CONTENT = {
  method: 'GET',
  path: '/api/v1/users/profile',
  responseBody: { type: 'object', properties: { id: { type: 'integer' }, email: { type: 'string' } } },
}

/** The objects in the samples of the CACP document, for the examples of the rows. */
export const EXAMPLE = {
  projectId: PROJECT_ID,
  contractId: CONTRACT_ID,
  target: { projectId: PROJECT_ID, contractId: CONTRACT_ID },
  repoId: REPO_ID,
  packetId: PACKET_ID,
  agentId: AGENT,
  time: TIME,
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  cursor: '01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41',
  nextCursor: '01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.42',
  revision: REVISION,
  inForce: { version: 1, status: 'agreed' as const, revision: REVISION },
  content: CONTENT,
  project: {
    project_id: PROJECT_ID,
    name: 'User Auth Feature',
    objective: 'Implement OAuth 2.0 login across frontend and backend',
    status: 'planning' as const,
    repos: [],
    contracts: [],
    context_history: [],
    created_at: TIME,
    updated_at: TIME,
    created_by: AGENT,
    visibility: 'all' as const,
    archived: false,
  },
  contract: {
    contract_id: CONTRACT_ID,
    type: 'api_endpoint' as const,
    name: 'Get User Profile',
    version: 1,
    status: 'proposed' as const,
    content: CONTENT,
    proposed_by: REPO_ID,
    implementations: [],
    created_at: TIME,
    updated_at: TIME,
    parties: [REPO_ID],
    responses: [],
    verifications: [],
    conflicts: [],
    head: {
      timestamp: TIME,
      change_notes: '',
      revision: REVISION,
      parent: null,
      resolves: [],
      parties: [REPO_ID],
      needed: [REPO_ID],
      agreed: false,
      by: BY,
    },
    past_implementations: [],
    inForce: null,
    objections: [],
    unanswered: [REPO_ID],
    withdrawn: false,
    retired: false,
  },
  packet: {
    packet_id: PACKET_ID,
    from_repo: REPO_ID,
    from_agent: AGENT,
    timestamp: TIME,
    type: 'decision' as const,
    content: {
      decision: 'Authentication method',
      chosen: 'JWT tokens',
      rationale: 'Stateless',
      implications: [],
    },
    related_contracts: [CONTRACT_ID],
    reply_to: null,
    by: BY,
  },
  delivery: {
    repo_id: REPO_ID,
    repo: 'frontend-app',
    state: 'seen' as const,
    stored_at: TIME,
    replicated_at: TIME,
    seen_at: TIME,
  },
}
