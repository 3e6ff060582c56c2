import type { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { type ConnectionRules, createConnector, type Resolve } from './connector.ts'
import { loadUndici } from './load-outbound.ts'
import { type AnswerLimits, wholeAnswer } from './whole-answer.ts'

/** To whom a request may go, and the headers that tell who calls and with which key. */
export interface Target {
  /** Without rules, any address and any certificate that an authority vouches for will do. */
  readonly rules?: ConnectionRules | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** What is sent, to whom it may go, and how much of an answer is awaited for how long. */
export interface OutboundRequest {
  readonly url: string | URL
  /** Asked when the connection is chosen: no key goes over a connection that was made under the rules of another. */
  readonly target: () => Target
  /** Is posted; a text is JSON. Without a body the request is a GET. */
  readonly body?: string | Readable
  readonly headers?: Readonly<Record<string, string>>
  /** Breaks the request off. */
  readonly signal?: AbortSignal | undefined
  /** How long the request may take until its answer is complete. */
  readonly millis?: number
  /** Where this request differs from the others: until the answer begins, and while its body pauses. */
  readonly headersTimeout?: number
  readonly bodyTimeout?: number
  /** Of an answer that is read as a whole. */
  readonly limits?: AnswerLimits
}

export interface OpenAnswer {
  readonly status: number
  readonly contentType: string
  /** Must be read, or be discarded: the connection serves no other request before. */
  readonly body: AsyncIterable<Uint8Array>
  discard(): Promise<void>
}

export interface RequesterOptions extends Omit<Agent.Options, 'connect'> {
  readonly connectMillis?: number
  /** In the place of the system's lookup of names. */
  readonly resolve?: Resolve | undefined
  /** What messages call the other side. Left out, it is called by the origin of the URL. */
  readonly who?: string
  /** What is thrown when no answer came, or not all of it. */
  readonly failure?: (cause: unknown, about: { who: string; signal: AbortSignal | undefined }) => unknown
}

const JSON_BODY = { 'content-type': 'application/json' }

export type Requester = ReturnType<typeof createRequester>

/** The one way out for HTTP requests: over kept connections that keep to the rules of a target, without redirects. */
export function createRequester(options: RequesterOptions) {
  const { connectMillis: timeout = 5000, resolve, who, failure = unreachable, ...agentOptions } = options
  /** By the name of their rules: a connection that was opened under one rule is not used under another. */
  const agents = new Map<string, Agent>()

  function agentUnder(rules: ConnectionRules | undefined, undici: typeof import('undici')): Agent {
    const name = rules === undefined ? '' : nameOf(rules)
    const known = agents.get(name)
    if (known !== undefined) return known
    const connect = rules === undefined ? { timeout } : createConnector(rules, { resolve, timeout })
    const agent = new undici.Agent({ ...agentOptions, connect })
    agents.set(name, agent)
    dropOldest()
    return agent
  }

  /** Keeps one agent for each peer and each class of address; those of replaced certificates and keys go. */
  function dropOldest(): void {
    const [oldest] = agents
    if (oldest === undefined || agents.size <= LIMITS.peers + 4) return
    agents.delete(oldest[0])
    void oldest[1].close().catch(() => {})
  }

  async function sending<T>(
    { url, target, body, headers, signal, headersTimeout, bodyTimeout }: OutboundRequest,
    send: (agent: Agent, request: Sent, failed: (cause: unknown) => unknown) => Promise<T>,
  ): Promise<T> {
    const { origin, pathname, search } = new URL(url)
    const failed = (cause: unknown) => failure(cause, { who: who ?? origin, signal })
    try {
      const undici = await loadUndici()
      const { rules, headers: caller } = target()
      const request = {
        origin,
        path: pathname + search,
        method: body === undefined ? ('GET' as const) : ('POST' as const),
        headers: { ...caller, ...(typeof body === 'string' ? JSON_BODY : {}), ...headers },
        body: body ?? null,
        headersTimeout: headersTimeout ?? null,
        bodyTimeout: bodyTimeout ?? null,
      }
      return await send(agentUnder(rules, undici), request, failed)
    } catch (error) {
      throw failed(error)
    }
  }

  return {
    /** Sends a request, and reads all of its answer. */
    answer: (asked: OutboundRequest): Promise<{ status: number; text: string }> =>
      sending(asked, (agent, request) =>
        wholeAnswer(agent, request, { who: who ?? request.origin, ...asked }),
      ),
    /** Sends a request, and reads the body of its answer as it comes. */
    open: (asked: OutboundRequest): Promise<OpenAnswer> =>
      sending(asked, async (agent, request, failed) => {
        const { statusCode, headers, body } = await agent.request({ ...request, signal: endOf(asked) })
        return {
          status: statusCode,
          contentType: String(headers['content-type'] ?? ''),
          body: withFailure(body, failed),
          discard: () => body.dump(),
        }
      }),
    /** Lets the requests under way come to their end. */
    close: async (): Promise<void> =>
      void (await Promise.all([...agents.values()].map((agent) => agent.close()))),
    /** Breaks off the requests under way. */
    destroy: async (): Promise<void> =>
      void (await Promise.all([...agents.values()].map((agent) => agent.destroy()))),
  }
}

type Sent = Parameters<typeof wholeAnswer>[1]

/** Names the peer as well: what one peer has proven says nothing about another, nor about its next key. */
function nameOf({ reach, certificate = '', peer }: ConnectionRules): string {
  const place = `${reach} ${certificate}`
  return peer === undefined ? place : `${place} ${peer.key.x} ${peer.basePath} ${peer.agentId}`
}

/** When undici is to break a request off. */
function endOf({ millis, signal }: OutboundRequest): AbortSignal | null {
  if (millis === undefined) return signal ?? null
  const timeout = AbortSignal.timeout(millis)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

async function* withFailure(
  body: AsyncIterable<Uint8Array>,
  failed: (cause: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw failed(error)
  }
}

/** Says why no answer came to whoever wanted it. */
export function unreachable(cause: unknown, { who }: { who: string }, next?: string): Fault {
  if (cause instanceof Fault) return cause
  const { code, name } = cause as { code?: unknown; name?: string }
  const told = typeof code === 'string' ? code : 'the connection failed'
  const why = name === 'TimeoutError' ? 'it did not answer in time' : told
  return new Fault('unavailable', `${who} cannot be reached: ${why}`, {
    ...(next === undefined ? {} : { next }),
    cause,
  })
}
