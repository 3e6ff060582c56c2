import type { FetchFile, PeerClient } from '../../engine/ports/ports.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { placeOf } from './hub-request.ts'
import type { OutboundRequest } from './outbound-request.ts'
import { callTargets, documentTargets, type PeerTargetOptions } from './peer-target.ts'
import { createRequester, type Requester, unreachable } from './request.ts'

const MOST_OF_REASON = 300

/** Requests to peers, over connections that are kept. */
export function createPeerClient(
  options: PeerTargetOptions,
): PeerClient & Pick<Requester, 'destroy'> & { readonly file: FetchFile } {
  const requester = createRequester({
    resolve: options.resolve,
    askOnHub: options.askOnHub,
    connections: 2,
    keepAliveTimeout: 60_000,
    failure: peerUnreachable,
  })
  const [callTo, documentOf] = [callTargets(options), documentTargets(options)]

  async function textOf(request: OutboundRequest): Promise<string> {
    const { status, text } = await requester.answer(request)
    if (status < 300) return text
    throw refused(request.url, status, text)
  }

  return {
    get: (url, millis, to, signal) =>
      textOf({ url, target: documentOf(to), millis, signal, limits: LIMITS.foreignDocument }),
    post: (url, body, millis, to, signal) =>
      textOf({ url, target: callTo(to), body, millis, signal, limits: LIMITS.foreignAnswer }),
    async *file(url, millis, to) {
      const { status, body, discard } = await requester.open({ url, target: callTo(to), millis })
      if (status === 200) return yield* body
      await discard()
      throw refused(url, status)
    },
    destroy: requester.destroy,
  }
}

/** A request that was answered so once is answered so again. */
const LASTING: ReadonlySet<number> = new Set([400, 403, 404, 409])

function refused(url: string | URL, status: number, text = ''): Fault {
  const { message, next } = reasonIn(text)
  const kind = LASTING.has(status) ? 'conflict' : 'unavailable'
  const told = `${placeOf(url)} answered ${status}${message === undefined ? '' : `: ${message}`}`
  return new Fault(kind, told, {
    ...(next === undefined ? {} : { next: `It says: ${next}` }),
    data: { status },
  })
}

/** Why a daemon refused, and what it says would help. Both are a stranger's text. */
function reasonIn(text: string) {
  const { error } = Object(jsonIn(text)) as { error?: unknown }
  const { message, next } = Object(error) as { message?: unknown; next?: unknown }
  return { message: shortened(message), next: shortened(next) }
}

const shortened = (words: unknown): string | undefined =>
  typeof words === 'string' ? words.slice(0, MOST_OF_REASON) : undefined

function peerUnreachable(cause: unknown, about: { who: string }): Fault {
  const { code = '' } = cause as { code?: unknown }
  if (/CERT|ALTNAME|UNABLE_TO_(?:GET|VERIFY)/.test(String(code)))
    return new Fault(
      'unavailable',
      `${about.who} is not called: nobody vouches for its certificate (${code})`,
      {
        next: 'Ask its operator for an invite (`cacpd invite`), which names the certificate',
        cause,
      },
    )
  return unreachable(cause, about, NEXT_STEPS[String(code)])
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'See there with `cacpd status` whether that daemon runs, and at which URL',
  ENOTFOUND: 'Check the name: nobody here knows it',
}
