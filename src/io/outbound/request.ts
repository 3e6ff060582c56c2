import type { Agent } from 'undici'
import type { AskOnHub } from '../../engine/ports/hub-rooms.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { Fault } from '../../protocol/fault.ts'
import { hubAddressIn } from '../../protocol/hub-address.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { type ConnectionRules, createConnector, type Resolve } from './connector.ts'
import { answerOnHub, openOnHub, placeOf } from './hub-request.ts'
import { loadUndici, type Undici } from './load-outbound.ts'
import {
  endOf,
  JSON_BODY,
  type OpenAnswer,
  type OutboundRequest,
  type WholeAnswer,
} from './outbound-request.ts'
import { wholeAnswer } from './whole-answer.ts'

export interface RequesterOptions extends Omit<Agent.Options, 'connect'> {
  readonly connectMillis?: number
  /** In the place of the system's lookup of names. */
  readonly resolve?: Resolve | undefined
  /** How to reach agents whose URLs are of the scheme `hub:`; left out where there is no hub. */
  readonly askOnHub?: AskOnHub | undefined
  /** What messages call the other side. Left out, it is called by the origin of the URL. */
  readonly who?: string
  /** What is thrown when no answer came, or not all of it. */
  readonly failure?: (cause: unknown, about: { who: string; signal: AbortSignal | undefined }) => unknown
}

export type Requester = ReturnType<typeof createRequester>

/** The one way out for HTTP requests: over kept connections that keep to the rules of a target, without redirects. */
export function createRequester(options: RequesterOptions) {
  const {
    connectMillis: timeout = 5000,
    resolve,
    askOnHub,
    who,
    failure = unreachable,
    ...agentOptions
  } = options
  /** By the name of their rules: a connection that was opened under one rule is not used under another. */
  const agents = new Map<string, Agent>()

  function agentUnder(rules: ConnectionRules | undefined, undici: Undici): Agent {
    return getOrAdd(agents, rules === undefined ? '' : nameOf(rules), () => {
      dropOldest()
      const connect = rules === undefined ? { timeout } : createConnector(rules, { resolve, timeout })
      return new undici.Agent({ ...agentOptions, connect })
    })
  }

  /** Keeps one agent for each peer and each class of address; those of replaced certificates and keys go. */
  function dropOldest(): void {
    const [oldest] = agents
    if (oldest === undefined || agents.size < LIMITS.peers + 4) return
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

  /** The same for an agent that is called over the hub. */
  async function sendingOnHub<T>(
    asked: OutboundRequest,
    send: (asked: OutboundRequest, ask: AskOnHub | undefined) => Promise<T>,
  ): Promise<T> {
    try {
      return await send(asked, askOnHub)
    } catch (error) {
      throw failure(error, { who: who ?? placeOf(asked.url), signal: asked.signal })
    }
  }

  return {
    /** Sends a request, and reads all of its answer. */
    answer: (asked: OutboundRequest): Promise<WholeAnswer> => {
      if (isOnHub(asked)) return sendingOnHub(asked, answerOnHub)
      return sending(asked, (agent, request) =>
        wholeAnswer(agent, request, { who: who ?? request.origin, ...asked }),
      )
    },
    /** Sends a request, and reads the body of its answer as it comes. */
    open: (asked: OutboundRequest): Promise<OpenAnswer> => {
      if (isOnHub(asked)) return sendingOnHub(asked, openOnHub)
      return sending(asked, async (agent, request, failed) => {
        const { statusCode, headers, body } = await agent.request({ ...request, signal: endOf(asked) })
        return {
          status: statusCode,
          contentType: String(headers['content-type'] ?? ''),
          body: withFailure(body, failed),
          discard: () => body.dump(),
        }
      })
    },
    /** Lets the requests under way come to their end. */
    close: async (): Promise<void> =>
      void (await Promise.all([...agents.values()].map((agent) => agent.close()))),
    /** Breaks off the requests under way. */
    destroy: async (): Promise<void> =>
      void (await Promise.all([...agents.values()].map((agent) => agent.destroy()))),
  }
}

const isOnHub = ({ url }: OutboundRequest): boolean => hubAddressIn(String(url)) !== undefined

type Sent = Parameters<typeof wholeAnswer>[1]

/** Names the peer as well: what one peer has proven says nothing about another, nor about its next key. */
function nameOf({ reach, certificate = '', peer }: ConnectionRules): string {
  const place = `${reach} ${certificate}`
  return peer === undefined ? place : `${place} ${peer.key.x} ${peer.basePath} ${peer.agentId}`
}

async function* withFailure(body: AsyncIterable<Uint8Array>, failed: (cause: unknown) => unknown) {
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
