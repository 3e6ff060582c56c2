import { actHandlers } from './acts.ts'
import { implementationHandlers } from './implementation.ts'
import { CONTEXT_TYPES, CONTRACT_TYPES, type PlainProject } from './models.ts'
import { type Handlers, need, type Params } from './params.ts'
import { readHandlers } from './reads.ts'
import { type Headers, type PlainPeerSelf, PlainRegistry, type Send } from './registry.ts'
import { BadValue, naiveStamp } from './stamp.ts'
import { copy, PlainState } from './state.ts'
import { syncHandlers } from './sync.ts'

export interface PlainPeerOptions extends PlainPeerSelf {
  readonly role?: string
  readonly language?: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly newId: () => string
  readonly send: Send
}

export interface HttpAnswer {
  readonly status: number
  /** To be sent as JSON, except for the text of a 500. */
  readonly body: unknown
}

const METHOD_NAMES = (
  'project/get project/list contract/get contract/list context/list context/getThread ' +
  'implementation/getStatus file/share file/request file/listRequests file/fulfillRequest ' +
  'project/sync contract/sync context/sync repo/sync peer/announce project/create project/join ' +
  'contract/propose contract/respond contract/update context/share context/askQuestion ' +
  'context/recordDecision implementation/start implementation/complete implementation/verify'
)
  .split(' ')
  .map((name) => `cacp/${name}`)

/**
 * A double of the CACP reference implementation with its faults: they are what the daemon has to live
 * with, so none of them is to be mended here. Pure but for what it is given: no timers, no clock, no socket.
 */
export class PlainPeer {
  readonly #options: PlainPeerOptions
  readonly #state: PlainState
  readonly #registry: PlainRegistry
  readonly #handlers: Handlers

  constructor(options: PlainPeerOptions) {
    const { agentId, repoName, endpoint, clock, newId, send } = options
    const self = { agentId, repoName, endpoint }
    const now = () => naiveStamp(clock())
    const state = new PlainState(now)
    const registry = new PlainRegistry({ self, clock, send })
    const broadcast = (method: string, params: object) => registry.broadcast(method, params)
    const deps = { state, self, now, newId, broadcast }
    this.#options = options
    this.#state = state
    this.#registry = registry
    this.#handlers = {
      ...readHandlers(state),
      ...syncHandlers(state),
      ...actHandlers(deps),
      ...implementationHandlers(deps),
      // The one announced to does not add the announcer.
      'cacp/peer/announce': () => ({ status: 'acknowledged', myAgentId: agentId, myRepoName: repoName }),
    }
  }

  /** A process that ended and came back: what it stored is there, whom it knew is not. */
  restart(): void {
    this.#registry.forgetAll()
  }

  /** All it holds, to look at. */
  snapshot(): PlainProject[] {
    return copy([...this.#state.projects.values()])
  }

  /** A call of the agent that owns this peer; answers the result or throws the JSON-RPC error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async call(method: string, params: object = {}): Promise<any> {
    const answer: { result?: unknown; error?: { message: string } } = await this.handleRpc({
      jsonrpc: '2.0',
      method,
      params,
      id: 'own',
    })
    if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result
  }

  /** One JSON-RPC object; always a reply, also to a notification. What is no object throws: HTTP 500. */
  async handleRpc(body: unknown, _headers: Headers = {}): Promise<object> {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new TypeError(`the body has no attribute 'get'`)
    }
    const { jsonrpc, method, params = {}, id = null } = body as Params
    const fail = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id })
    if (jsonrpc !== '2.0' || method == null) return fail(-32600, 'Invalid Request')
    const handler = Object.hasOwn(this.#handlers, String(method)) && this.#handlers[String(method)]
    if (!handler) return fail(-32601, `Method not found: ${method}`)
    try {
      const result = copy(await handler(copy(params) as Params))
      return { jsonrpc: '2.0', result, id }
    } catch (error) {
      return fail(error instanceof BadValue ? -32602 : -32000, (error as Error).message)
    }
  }

  /** Any request; a body is given parsed, and undefined when it is no JSON. */
  async handleHttp(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<HttpAnswer> {
    const post = path === '/' || path === '/peers/register'
    const answers: Record<string, () => unknown> = {
      '/': () => (body === undefined ? PARSE_ERROR : this.handleRpc(body, headers)),
      '/peers/register': () => this.#register(body as Params),
      '/peers': () => ({ peers: this.#registry.list() }),
      '/health': () => this.#health(),
      '/methods': () => ({ methods: METHOD_NAMES }),
      '/.well-known/agent.json': () => this.#card(),
    }
    const answer = Object.hasOwn(answers, path) && answers[path]
    if (!answer) return { status: 404, body: { detail: 'Not Found' } }
    if (method !== (post ? 'POST' : 'GET')) return { status: 405, body: { detail: 'Method Not Allowed' } }
    try {
      return { status: 200, body: await answer() }
    } catch {
      return { status: 500, body: 'Internal Server Error' }
    }
  }

  async #register(body: Params): Promise<object> {
    const [agentId, endpoint] = ['agentId', 'endpoint'].map((key) => need(body, key))
    await this.#registry.register({
      agentId: String(agentId),
      endpoint: String(endpoint),
      repoName: String(body['repoName'] ?? ''),
    })
    return { status: 'registered', peerCount: this.#registry.size }
  }

  #health(): object {
    const { agentId, repoName } = this.#options
    return { status: 'healthy', agentId, repo: repoName, peerCount: this.#registry.size }
  }

  #card(): object {
    const { agentId, repoName, endpoint, role = 'backend', language = 'python' } = this.#options
    return {
      name: `CACP Agent (${repoName})`,
      description: `Coding agent for ${repoName} repository`,
      version: '2.0.0',
      url: endpoint,
      protocols: { a2a: '0.3', cacp: '2.0' },
      capabilities: [language, role],
      extensions: {
        cacp: {
          repo: repoName,
          role,
          language,
          agentId,
          supportedContractTypes: CONTRACT_TYPES,
          supportedContextTypes: CONTEXT_TYPES,
        },
      },
    }
  }
}

const PARSE_ERROR = { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null }
