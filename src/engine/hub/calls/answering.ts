import type { Caller } from '../../../domain/env.ts'
import {
  assertCallIsFor,
  CALL_TYP,
  type CallClaims,
  callClaimsIn,
  carriedHeaders,
  REMEMBERED_SECONDS,
  refusedCall,
} from '../../../domain/hub/call.ts'
import { callSubject } from '../../../domain/hub/subject.ts'
import { viewerOf } from '../../../domain/lookup.ts'
import type { Peer } from '../../../domain/model.ts'
import { keyIdOf } from '../../../domain/trust/key-id.ts'
import type { PublicKey } from '../../../domain/trust/trust.ts'
import type { View } from '../../../domain/view.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { FAULTS, Fault } from '../../../protocol/fault.ts'
import { sha256 } from '../../../protocol/text/sha256.ts'
import { unverifiedClaims } from '../../../protocol/text/unverified-claims.ts'
import type { Parts } from '../../parts.ts'
import type { CallPlace, HeardMessage, ServeCall } from '../../ports/hub-rooms.ts'
import { type AnswerParts, createAnswerParts } from './answer-parts.ts'
import type { AskingDeps } from './asking.ts'

interface AnsweringDeps extends Omit<AskingDeps, 'keyOf'>, Pick<Parts, 'newSecret'> {
  readonly view: Pick<View, 'peers'>
  readonly serve: ServeCall
  /** Calls `leave` when the caller has lost its access; returns a function that ends the watch. */
  watch(caller: Caller, leave: () => void): () => void
}

/** How many calls are answered at once, in all and of one caller; the rest are told to come again. */
const AT_ONCE = { all: 64, each: 16 }
/** Beyond so many, what comes is not even refused. */
const MOST_REFUSED_AT_ONCE = 64
/** Calls of one caller that are remembered; more than the limits of calls let one make in that time. */
const MOST_USED = 20_000
/** Answers go to nobody but callers: on any other subject of the hub a signature of ours could be misused. */
const INBOX = /^_INBOX\.[A-Za-z0-9_.-]{1,200}$/

/**
 * Takes calls that come over the hub, from approved peers with the signature of the key that was pinned, and has the
 * daemon's own server answer them: who may do what is decided there, as for every other call.
 */
export class Answering {
  readonly #deps: AnsweringDeps
  readonly #bootId: string
  readonly #isUnused: ReturnType<typeof createUsedCalls>
  /** Who calls, by what the server is shown instead of a key. */
  readonly #tickets = new Map<string, Caller>()
  readonly #running = new Set<{ readonly agentId: string; readonly parts: AnswerParts }>()
  #refusing = 0
  #unlisten: () => void = () => {}

  constructor(deps: AnsweringDeps) {
    this.#deps = deps
    this.#bootId = deps.clock.newNonce()
    this.#isUnused = createUsedCalls(() => deps.timers.millis())
  }

  callerWith(ticket: string): Caller | undefined {
    return this.#tickets.get(ticket)
  }

  /** The connection from now on; undefined while there is none. */
  use(place: CallPlace | undefined, failed?: (fault: Fault) => void): void {
    this.#unlisten()
    for (const { parts } of this.#running) parts.breakOff()
    this.#unlisten = () => {}
    if (place === undefined) return
    const subject = callSubject(place.org, this.#deps.agentId)
    // Where two daemons run under this name, one of them answers.
    this.#unlisten = place.wire.listen(subject, (message) => void this.#take(place, message), {
      queue: 'daemon',
      ...(failed === undefined ? {} : { failed }),
    })
  }

  /** Never throws: nobody waits for it. */
  async #take({ wire }: CallPlace, message: HeardMessage): Promise<void> {
    const claimed = callClaimsIn(unverifiedClaims(message.proof))
    if (claimed === undefined || !INBOX.test(message.reply ?? '')) return
    if (this.#refusing >= MOST_REFUSED_AT_ONCE) return
    const { agentId, identity, timers } = this.#deps
    const about = { iss: agentId, aud: claimed.iss, jti: claimed.jti }
    using parts = createAnswerParts({ identity, wire, timers, about, to: message.reply ?? '' })
    this.#refusing++
    let isTaken = false
    try {
      const { call, peer } = await this.#checked(message, claimed)
      if (call.boot !== this.#bootId) return await parts.send('boot', { boot: this.#bootId })
      this.#assertFree(call.iss)
      if (!this.#isUnused(call.iss, call.jti)) throw refusedCall('it was taken before')
      this.#refusing--
      isTaken = true
      await this.#answer(call, { peer, parts, body: message.body })
    } catch (error) {
      await refuse(parts, Fault.from(error)).catch(() => {})
    } finally {
      if (!isTaken) this.#refusing--
    }
  }

  async #checked(
    { proof, body }: HeardMessage,
    { iss }: CallClaims,
  ): Promise<{ call: CallClaims; peer: Peer }> {
    const { agentId, verify, view, clock, renewedKey } = this.#deps
    const callBy = async (key: PublicKey | undefined) =>
      key && callClaimsIn(await verify(proof, key, CALL_TYP))
    const call = (await callBy(approved(view, iss)?.identity)) ?? (await callBy(await renewedKey(iss)))
    // It may have been revoked meanwhile.
    const peer = approved(view, iss)
    if (call === undefined || peer === undefined)
      throw refusedCall(
        'it has not the signature of a peer that is approved here',
        'Ask the operator here to approve your daemon: `cacpd peers` lists who is on the hub',
      )
    assertCallIsFor(agentId, call, clock.now())
    if (call.sha256 !== sha256(body)) throw refusedCall('its body is another one than was signed')
    return { call, peer }
  }

  #assertFree(agentId: string): void {
    const ofCaller = [...this.#running].filter((one) => one.agentId === agentId).length
    if (this.#running.size < AT_ONCE.all && ofCaller < AT_ONCE.each) return
    throw new Fault('busy', 'Too many calls over the hub are being answered', { next: 'Come again shortly' })
  }

  async #answer(
    { verb, path, headers, iss }: CallClaims,
    { peer, parts, body }: { peer: Peer; parts: AnswerParts; body: Uint8Array },
  ): Promise<void> {
    const { newSecret, serve, watch } = this.#deps
    const caller = callerOf(peer)
    const ticket = newSecret()
    const running = { agentId: iss, parts }
    this.#tickets.set(ticket, caller)
    this.#running.add(running)
    const unwatch = watch(caller, () => parts.breakOff())
    try {
      await parts.send('here')
      const request = { verb, path, headers: carriedHeaders(headers), body, ticket }
      const answer = await serve(request, parts.signal)
      await parts.send('head', { status: answer.status, type: answer.contentType.slice(0, 200) })
      for await (const chunk of answer.body) await parts.sendBytes(chunk)
      await parts.send('end')
    } catch {
      await parts.send('broken').catch(() => {})
    } finally {
      unwatch()
      this.#running.delete(running)
      this.#tickets.delete(ticket)
    }
  }
}

function approved({ peers }: Pick<View, 'peers'>, agentId: string): Peer | undefined {
  const peer = peers.get(agentId)
  return peer?.trust === 'approved' && peer.identity !== undefined ? peer : undefined
}

/** By what was pinned; where it calls from is not known, so it may name no address of this machine. */
const callerOf = (peer: Peer): Caller => ({
  ...viewerOf(peer),
  credential: `hub ${peer.identity === undefined ? '' : keyIdOf(peer.identity).slice(0, 8)}`,
  from: 'public',
})

async function refuse(parts: AnswerParts, { kind, message, details }: Fault): Promise<void> {
  await parts.send('head', { status: FAULTS[kind].http, type: 'application/json' })
  await parts.sendBytes(new TextEncoder().encode(JSON.stringify({ error: { ...details, message } })))
  await parts.send('end')
}

/** Remembers the calls that were taken since the start, for as long as each could be taken; answers false for those. */
export function createUsedCalls(millis: () => number): (caller: string, call: string) => boolean {
  /** By caller and call: until when it is remembered. The oldest come first. */
  const used = new Map<string, Map<string, number>>()
  return (caller, call) => {
    const now = millis()
    const calls = getOrAdd(used, caller, () => new Map<string, number>())
    for (const [id, until] of calls) {
      if (until > now) break
      calls.delete(id)
    }
    if (calls.has(call)) return false
    if (calls.size >= MOST_USED)
      throw new Fault('rate_limited', `${caller} has made too many calls over the hub`, {
        next: 'Come again in a few minutes',
      })
    calls.set(call, now + REMEMBERED_SECONDS * 1000)
    return true
  }
}
