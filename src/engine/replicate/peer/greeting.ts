import type { Peer } from '../../../domain/model.ts'
import type { JsonObject } from '../../../protocol/json/json.ts'
import { addMicros, parseStamp, type Stamp } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'
import { clockSkew } from './clock-skew.ts'
import type { Conversation } from './conversation.ts'

export interface GreetingDeps extends Pick<Parts, 'self' | 'clock' | 'timers' | 'clocks' | 'bootIds'> {
  peer: Peer
  conversation: Conversation
  /** Of this process. */
  bootId: string
}

/**
 * Says hello to another cacpd: at first to agree on where to go on from, and then again and again, because clocks
 * are set, and a second daemon may come up under either name.
 */
export class Greeting {
  readonly #deps: GreetingDeps
  #clockSkewSeconds: number | null = null
  /** What its clock showed, and when it was asked for that. */
  #shown: { readonly now: Stamp; readonly askedAt: number } | undefined
  #hearsUsTwice = false
  #isFresh = false
  #isEnded = false

  constructor(deps: GreetingDeps) {
    this.#deps = deps
  }

  async make(): Promise<JsonObject> {
    const { self, peer, conversation, clock, timers, clocks, bootIds, bootId } = this.#deps
    const asked = clock.now()
    const askedAt = timers.millis()
    const answer = await conversation.call('cacp/sync/hello', { storeId: self.storeId, bootId })
    this.#clockSkewSeconds = clockSkew(answer['now'], { asked, answered: clock.now() })
    const now = parseStamp(String(answer['now']))
    this.#shown = now === undefined ? undefined : { now, askedAt }
    // The answer may come after the end, as of a peer that was removed: nobody would ever take this back.
    if (!this.#isEnded) {
      clocks.note(peer, this.#clockSkewSeconds)
      if (typeof answer['bootId'] === 'string') bootIds.see(peer.agent_id, answer['bootId'])
    }
    this.#hearsUsTwice = answer['runsTwice'] === true
    this.#isFresh = true
    return answer
  }

  /** Unless the last one was a moment ago. */
  async repeat(): Promise<void> {
    if (!this.#isFresh) await this.make()
    this.#isFresh = false
  }

  /** What its clock shows now at most, whatever ours did since; undefined when it never said. */
  theirNow(): Stamp | undefined {
    const shown = this.#shown
    if (shown === undefined) return undefined
    return addMicros(shown.now, Math.ceil((this.#deps.timers.millis() - shown.askedAt) * 1000))
  }

  end(): void {
    this.#isEnded = true
    this.#deps.clocks.note(this.#deps.peer, null)
  }

  report() {
    return { clockSkewSeconds: this.#clockSkewSeconds, hearsUsTwice: this.#hearsUsTwice }
  }
}
