import type { AdpExchange, AdpPage, ListedAgent } from '../../engine/ports/ports.ts'
import { manifestAt } from '../../protocol/agent/adp.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { type LiteralJson, memberOf, parseLiteral } from '../../protocol/json/literal-json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { WholeAnswer } from './outbound-request.ts'
import { createRequester, type Requester, type RequesterOptions } from './request.ts'

/** A page of the largest manifests that our own exchange takes. Few values, because each is parsed with its literal text. */
const ANSWER_LIMITS = { bytes: 8 * 1024 * 1024, values: 500_000, depth: LIMITS.foreignAnswer.depth }
const MOST_OF_REASON = 300

interface AdpClientOptions extends Pick<RequesterOptions, 'resolve'> {
  /** With the SHA-256 of its certificate behind a `#` where that is to be pinned. */
  readonly url: string
  readonly timeoutMillis: number
}

export type AdpClient = AdpExchange & Pick<Requester, 'destroy'>

/** Requests to an ADP exchange, at the paths that the CACP client uses. */
export function createAdpClient({ url, timeoutMillis, resolve }: AdpClientOptions): AdpClient {
  const { origin, pathname, hash } = new URL(url)
  const certificate = hash === '' ? undefined : hash.slice(1).toLowerCase()
  const base = origin + pathname.replace(/(?:\/v1)?\/*$/, '')
  const who = `The exchange at ${origin}`
  const requester = createRequester({ who, resolve, connections: 2 })

  /** Posts the body, or gets the document at the path where there is none. */
  const send = (path: string, body?: string): Promise<WholeAnswer> =>
    requester.answer({
      url: base + path,
      target: () => ({ rules: { reach: 'operator', certificate } }),
      ...(body === undefined ? {} : { body }),
      millis: timeoutMillis,
      limits: ANSWER_LIMITS,
    })

  return {
    async register(manifest) {
      const reply = await send('/v1/register/', `{"manifest":${manifest}}`)
      // All exchanges agree on this member of the answer, whatever status goes with it.
      if (!fieldsIn(reply.text)['success']) throw refused(reply)
    },
    search: async (search) => pageIn(answerIn(await send('/v1/search/', JSON.stringify(search)))),
    async get(aid) {
      const reply = await send(`/v1/agents/${pathOf(aid)}`)
      if (reply.status === 404) return undefined
      const listed = listedIn(answerIn(reply))
      if (listed?.manifest.aid === aid) return listed
      throw new Fault('unavailable', `${origin} answered something else than the manifest of ${aid}`)
    },
    destroy: requester.destroy,
  }

  function answerIn(reply: WholeAnswer): LiteralJson {
    if (reply.status !== 200) throw refused(reply)
    try {
      return parseLiteral(reply.text)
    } catch {
      throw new Fault('unavailable', `What the exchange at ${origin} answered cannot be read as JSON`)
    }
  }

  function refused({ status, text }: WholeAnswer): Fault {
    const why = reasonIn(text)
    const kind = status === 409 ? 'conflict' : 'unavailable'
    return new Fault(kind, `${who} answered ${status}${why === undefined ? '' : `: ${why}`}`)
  }
}

/** Escapes an AID as the CACP client does, so that every exchange that serves those clients understands it. */
const pathOf = (aid: string): string => encodeURIComponent(aid).replace('%3A', ':').replace('%40', '@')

/** An empty object where it is no JSON object. */
const fieldsIn = (text: string): Record<string, unknown> => Object(jsonIn(text))

/** Why the exchange refused, in a stranger's text. Exchanges differ in the member that holds it. */
function reasonIn(text: string): string | undefined {
  const { detail, message, error } = fieldsIn(text)
  return [detail, message, error].find((one) => typeof one === 'string')?.slice(0, MOST_OF_REASON)
}

/** The ADP documents show a bare list, the CACP client wants an object. Manifests that cannot be read are left out. */
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

/** The manifest is a member of the entry, or is the entry itself. */
function listedIn(entry: LiteralJson): ListedAgent | undefined {
  const verified = memberOf(entry, 'verified')
  const isVerified = verified?.kind === 'literal' && verified.text === 'true'
  try {
    return { ...manifestAt(memberOf(entry, 'manifest') ?? entry), isVerified }
  } catch {
    return undefined
  }
}
