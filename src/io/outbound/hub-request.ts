import type { AskOnHub } from '../../engine/ports/hub-rooms.ts'
import { Fault } from '../../protocol/fault.ts'
import { hubAddressIn } from '../../protocol/hub-address.ts'
import { isHeavyJson } from '../../protocol/json/heavy-json.ts'
import {
  endOf,
  JSON_BODY,
  type OpenAnswer,
  type OutboundRequest,
  type WholeAnswer,
} from './outbound-request.ts'
import { readBytes, readText } from './read-body.ts'
import { tooMuch } from './whole-answer.ts'

/** More than any server lets one message have. */
const MOST_BODY_BYTES = 64 * 1024 * 1024

/** What messages call the one at this URL. */
export function placeOf(url: string | URL): string {
  const agentId = hubAddressIn(String(url))?.agentId
  return agentId === undefined ? new URL(url).origin : `${agentId} (on the hub)`
}

/** Sends a request over the hub, and reads the body of its answer as it comes. */
export async function openOnHub(asked: OutboundRequest, ask: AskOnHub | undefined): Promise<OpenAnswer> {
  const { url, target, body, headers } = asked
  const address = hubAddressIn(String(url))
  if (address === undefined || ask === undefined)
    throw new Fault('unavailable', 'This daemon uses no hub', { next: 'Connect it with `cacpd hub connect`' })
  const request = {
    ...address,
    verb: body === undefined ? ('GET' as const) : ('POST' as const),
    headers: { ...target().headers, ...(typeof body === 'string' ? JSON_BODY : {}), ...headers },
    body: await bytesOf(body),
  }
  return await ask(request, endOf(asked))
}

/** Sends a request over the hub, and reads all of its answer. */
export async function answerOnHub(asked: OutboundRequest, ask: AskOnHub | undefined): Promise<WholeAnswer> {
  const { limits, url } = asked
  const { status, body } = await openOnHub(asked, ask)
  try {
    const text = await readText(body, limits?.bytes ?? Number.POSITIVE_INFINITY)
    if (limits === undefined || !isHeavyJson(text, limits)) return { status, text }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw tooMuch(placeOf(url))
}

async function bytesOf(body: OutboundRequest['body']): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array()
  if (typeof body === 'string') return Buffer.from(body)
  return readBytes(body, MOST_BODY_BYTES).catch((error: unknown) => {
    throw error instanceof RangeError ? new Fault('too_large', 'The call is too large for a hub') : error
  })
}
