import { Agent } from 'undici'
import type { AdpExchange, AdpPage, ListedAgent } from '../../engine/ports/ports.ts'
import { manifestAt } from '../../protocol/agent/adp.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { type LiteralJson, memberOf, parseLiteral } from '../../protocol/json/literal-json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { createConnector, type Resolve } from './outbound.ts'
import { readAnswer } from './read-answer.ts'

/** A page of the largest manifests that our own exchange takes. Every value is read apart, which takes longer. */
const MOST_OF_ANSWER = { bytes: 8 * 1024 * 1024, values: 500_000, depth: LIMITS.foreignAnswer.depth }
const MOST_OF_REASON = 300
const CONNECT_MILLIS = 5000

export interface AdpClientOptions {
  /** With the SHA-256 of its certificate behind a `#` where that is to be pinned. */
  readonly url: string
  readonly timeoutMillis: number
  /** In the place of the system's lookup of names. */
  readonly resolve?: Resolve | undefined
}

export interface AdpClient extends AdpExchange {
  /** Breaks off whatever is still going on. */
  destroy(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly text: string
}

/** Calls to an ADP exchange over undici, to the paths that the CACP client uses: no redirects, an end to every wait. */
export function createAdpClient({ url, timeoutMillis, resolve }: AdpClientOptions): AdpClient {
  const { origin, pathname, hash } = new URL(url)
  const certificate = hash === '' ? undefined : hash.slice(1).toLowerCase()
  const base = pathname.replace(/(?:\/v1)?\/*$/, '')
  const connect = createConnector({ reach: 'operator', certificate }, { resolve, timeout: CONNECT_MILLIS })
  const agent = new Agent({ connections: 2, connect })

  return {
    async register(manifest) {
      const reply = await call('POST', '/v1/register/', `{"manifest":${manifest}}`)
      // The one thing that all exchanges agree on, whatever status goes with it.
      if (isSuccess(reply.text)) return
      throw refused(reply)
    },
    async search(search) {
      return pageIn(answerIn(await okay(call('POST', '/v1/search/', JSON.stringify(search)))))
    },
    async browse({ limit, offset }) {
      return pageIn(answerIn(await okay(call('GET', `/v1/agents/?limit=${limit}&offset=${offset}`))))
    },
    async get(aid) {
      const reply = await call('GET', `/v1/agents/${pathOf(aid)}`)
      if (reply.status === 404) return undefined
      const listed = listedIn(answerIn(await okay(Promise.resolve(reply))))
      if (listed?.manifest.aid === aid) return listed
      throw new Fault('unavailable', `${origin} answered something else than the manifest of ${aid}`)
    },
    destroy: () => agent.destroy(),
  }

  async function call(method: 'GET' | 'POST', path: string, body: string | null = null): Promise<Reply> {
    try {
      const reply = await agent.request({
        origin,
        path: `${base}${path}`,
        method,
        headers: body === null ? {} : { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(timeoutMillis),
      })
      return {
        status: reply.statusCode,
        text: await readAnswer(reply.body, `The exchange at ${origin}`, MOST_OF_ANSWER),
      }
    } catch (error) {
      throw error instanceof Fault ? error : unreachable(error)
    }
  }

  async function okay(replying: Promise<Reply>): Promise<string> {
    const reply = await replying
    if (reply.status === 200) return reply.text
    throw refused(reply)
  }

  function answerIn(text: string): LiteralJson {
    try {
      return parseLiteral(text)
    } catch {
      throw new Fault('unavailable', `What the exchange at ${origin} answered cannot be read as JSON`)
    }
  }

  function refused({ status, text }: Reply): Fault {
    const why = reasonIn(text)
    const kind = status === 409 ? 'conflict' : 'unavailable'
    return new Fault(
      kind,
      `The exchange at ${origin} answered ${status}${why === undefined ? '' : `: ${why}`}`,
    )
  }

  function unreachable(cause: unknown): Fault {
    const { code, name } = cause as { code?: string; name?: string }
    const why = name === 'TimeoutError' ? 'it did not answer in time' : (code ?? 'the connection failed')
    return new Fault('unavailable', `The exchange at ${origin} cannot be reached: ${why}`, { cause })
  }
}

/** As the CACP client escapes an AID, so that every exchange that serves those clients understands it. */
const pathOf = (aid: string): string => encodeURIComponent(aid).replace('%3A', ':').replace('%40', '@')

function isSuccess(text: string): boolean {
  const answer = jsonIn(text)
  return isJsonObject(answer) && Boolean(answer['success'])
}

/** ADP knows two ways to say it. It is a stranger's text. */
function reasonIn(text: string): string | undefined {
  const answer = jsonIn(text)
  if (!isJsonObject(answer)) return undefined
  const reason = [answer['detail'], answer['message'], answer['error']].find((one) => typeof one === 'string')
  return typeof reason === 'string' ? reason.slice(0, MOST_OF_REASON) : undefined
}

/** The documents show a bare list, the client wants an object. One manifest that cannot be read spoils no others. */
function pageIn(answer: LiteralJson): AdpPage {
  const list = answer.kind === 'list' ? answer : memberOf(answer, 'results')
  const items = list?.kind === 'list' ? list.items : []
  const total = memberOf(answer, 'total')
  return {
    agents: items.flatMap((item) => listedIn(item) ?? []),
    total: total?.kind === 'literal' ? wholeNumber(total.text) : items.length,
  }
}

const wholeNumber = (text: string): number => Math.max(0, Math.trunc(Number(text)) || 0)

/** The manifest is in the entry, or is the entry. */
function listedIn(entry: LiteralJson): ListedAgent | undefined {
  const verified = memberOf(entry, 'verified')
  const isVerified = verified?.kind === 'literal' && verified.text === 'true'
  try {
    return { ...manifestAt(memberOf(entry, 'manifest') ?? entry), isVerified }
  } catch {
    return undefined
  }
}
