import {
  ANSWER_TYP,
  type AnswerClaims,
  answerClaimsIn,
  CALL_TYP,
  type CallClaims,
  callTimes,
  carriedHeaders,
} from '../../../domain/hub/call.ts'
import { callSubject } from '../../../domain/hub/subject.ts'
import type { PublicKey } from '../../../domain/trust/trust.ts'
import { Fault } from '../../../protocol/fault.ts'
import { sha256 } from '../../../protocol/text/sha256.ts'
import type { Parts } from '../../parts.ts'
import type { AskOnHub, CallPlace, HubAnswer, HubRequest } from '../../ports/hub-rooms.ts'
import type { Clock, Identity } from '../../ports/ports.ts'
import { type Listening, listenForAnswer } from './listening.ts'

export interface AskingDeps extends Pick<Parts, 'verify' | 'timers'> {
  /** Of this daemon. */
  readonly agentId: string
  readonly identity: Pick<Identity, 'sign'>
  readonly clock: Pick<Clock, 'now' | 'newNonce'>
  /** The key of an approved peer, with which it signs its answers; undefined for everybody else. */
  keyOf(agentId: string): PublicKey | undefined
  /** The key of an approved peer, after a look whether it has replaced the one that was pinned. */
  renewedKey(agentId: string): Promise<PublicKey | undefined>
}

/** What a message has beside its body: the signature, and the headers of the protocol. */
const ENVELOPE_BYTES = 20 * 1024

interface Part {
  readonly claims: AnswerClaims
  readonly body: Uint8Array
}

interface Call {
  readonly request: HubRequest
  readonly claims: CallClaims
  readonly key: PublicKey
  readonly listening: Listening
}

/** Calls other daemons over the hub, and takes only answers with the signature of the one that was called. */
export class Asking {
  readonly #deps: AskingDeps
  /** The start of each daemon that was called, as it said itself. */
  readonly #boots = new Map<string, string>()
  readonly #underWay = new Set<Listening>()
  #place: CallPlace | undefined

  constructor(deps: AskingDeps) {
    this.#deps = deps
  }

  get isConnected(): boolean {
    return this.#place !== undefined
  }

  /** The connection from now on; undefined while there is none. */
  use(place: CallPlace | undefined): void {
    this.#place = place
    for (const listening of this.#underWay) listening.fail(notConnected())
  }

  readonly ask: AskOnHub = async (request, signal) => {
    signal?.throwIfAborted()
    // A daemon that was started anew says so once, and the call is made for that start of it.
    const answer = (await this.#askOnce(request, signal)) ?? (await this.#askOnce(request, signal))
    if (answer !== undefined) return answer
    throw new Fault('unavailable', `${onHub(request.agentId)} asks for the call again and again`)
  }

  async #askOnce(
    request: HubRequest,
    signal: AbortSignal | null | undefined,
  ): Promise<HubAnswer | undefined> {
    const { agentId: own, identity, clock, timers, keyOf } = this.#deps
    const { agentId, verb, path, headers, body } = request
    const place = this.#place
    if (place === undefined) throw notConnected()
    const key = keyOf(agentId)
    if (key === undefined) throw notApproved(agentId)
    const { wire, org } = place
    if (body.length > wire.maxBytes - ENVELOPE_BYTES) throw tooLarge(body.length, wire.maxBytes)
    const claims: CallClaims = {
      iss: own,
      aud: agentId,
      boot: this.#boots.get(agentId) ?? '',
      ...callTimes(clock.now()),
      jti: clock.newNonce(),
      verb,
      path,
      headers: carriedHeaders(headers),
      sha256: sha256(body),
    }
    const proof = await identity.sign(claims, CALL_TYP)
    signal?.throwIfAborted()
    const listening = listenForAnswer({ wire, timers, signal: signal ?? undefined, who: onHub(agentId) })
    this.#underWay.add(listening)
    const end = (isComplete: boolean) => {
      this.#underWay.delete(listening)
      listening.end({ isComplete })
    }
    try {
      wire.publish(callSubject(org, agentId), { proof, body, reply: listening.inbox })
      const parts = this.#partsOf({ request, claims, key, listening })
      for (;;) {
        const { value } = await parts.next()
        const { part, boot = '', status = 502, type = '' } = (value as Part).claims
        if (part === 'here') continue
        if (part === 'head')
          return {
            status,
            contentType: type,
            body: bodyOf(agentId, { parts, listening, end }),
            discard: async () => end(false),
          }
        end(true)
        if (part !== 'boot') throw brokenOff(agentId)
        this.#boots.set(agentId, boot)
        return undefined
      }
    } catch (error) {
      end(false)
      throw error
    }
  }

  /** The parts of an answer in their order, each as it was signed. */
  async *#partsOf({ claims, key: pinned, listening }: Call): AsyncGenerator<Part, never> {
    const { verify, renewedKey } = this.#deps
    let key = pinned
    for (let n = 0; ; n++) {
      const { isUnheard, proof, body } = await listening.next()
      if (isUnheard) throw away(claims.aud)
      const signed = await verify(proof, key, ANSWER_TYP)
      if (signed === undefined) key = (await renewedKey(claims.aud)) ?? key
      const said = answerClaimsIn(signed ?? (await verify(proof, key, ANSWER_TYP)))
      const isRight =
        said?.iss === claims.aud &&
        said.aud === claims.iss &&
        said.jti === claims.jti &&
        said.n === n &&
        said.sha256 === sha256(body)
      if (!isRight) throw notSigned(claims.aud)
      yield { claims: said, body }
    }
  }
}

interface Rest {
  readonly parts: AsyncIterable<Part>
  readonly listening: Listening
  end(isComplete: boolean): void
}

async function* bodyOf(agentId: string, { parts, listening, end }: Rest): AsyncGenerator<Uint8Array> {
  try {
    for await (const { claims, body } of parts) {
      if (claims.part === 'end') return end(true)
      if (claims.part === 'broken') throw brokenOff(agentId)
      if (claims.part !== 'data') continue
      yield body
      listening.noteRead(body.length)
    }
  } finally {
    end(false)
  }
}

/** How messages name an agent that has no address. */
export const onHub = (agentId: string): string => `${agentId} (on the hub)`

const notConnected = (): Fault =>
  new Fault('unavailable', 'This daemon is not connected to its hub', {
    next: '`cacpd hub status` says why; it goes on by itself when the hub is back',
  })

const notApproved = (agentId: string): Fault =>
  new Fault('forbidden', `${onHub(agentId)} is not approved here, so nothing is sent to it`, {
    next: 'Approve it with `cacpd peers approve`',
  })

const away = (agentId: string): Fault =>
  new Fault('unavailable', `${onHub(agentId)} is not there: nobody listens for its calls`, {
    next: 'See there with `cacpd hub status` whether its daemon runs and is connected',
  })

const notSigned = (agentId: string): Fault =>
  new Fault('unavailable', `What was answered is not signed with the key of ${agentId} that was approved`, {
    next: 'A key that was rotated is followed by itself; if it has one that has nothing to do with that, `cacpd peers remove` it here, and approve it again',
  })

const brokenOff = (agentId: string): Fault =>
  new Fault('unavailable', `${onHub(agentId)} broke its answer off`)

const tooLarge = (bytes: number, most: number): Fault =>
  new Fault('too_large', `The call has ${bytes} bytes, and the hub carries messages of ${most} at most`, {
    next: 'Send less at once, or have max_payload of the server raised',
  })
