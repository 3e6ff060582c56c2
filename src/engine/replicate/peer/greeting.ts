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
export function createGreeting(deps: GreetingDeps) {
  const { self, peer, conversation, clock, timers, clocks, bootIds, bootId } = deps
  let clockSkewSeconds: number | null = null
  /** What its clock showed, and when it was asked for that. */
  let shown: { readonly now: Stamp; readonly askedAt: number } | undefined
  let hearsUsTwice = false
  let isFresh = false
  let isEnded = false

  return {
    make,

    /** Unless the last one was a moment ago. */
    async repeat(): Promise<void> {
      if (!isFresh) await make()
      isFresh = false
    },

    /** What its clock shows now at most, whatever ours did since; undefined when it never said. */
    theirNow: (): Stamp | undefined =>
      shown && addMicros(shown.now, Math.ceil((timers.millis() - shown.askedAt) * 1000)),

    end(): void {
      isEnded = true
      clocks.note(peer, null)
    },

    report: () => ({ clockSkewSeconds, hearsUsTwice }),
  }

  async function make(): Promise<JsonObject> {
    const asked = clock.now()
    const askedAt = timers.millis()
    const answer = await conversation.call('cacp/sync/hello', { storeId: self.storeId, bootId })
    clockSkewSeconds = clockSkew(answer['now'], { asked, answered: clock.now() })
    const now = parseStamp(String(answer['now']))
    shown = now === undefined ? undefined : { now, askedAt }
    // The answer may come after the end, as of a peer that was removed: nobody would ever take this back.
    if (!isEnded) {
      clocks.note(peer, clockSkewSeconds)
      if (typeof answer['bootId'] === 'string') bootIds.see(peer.agent_id, answer['bootId'])
    }
    hearsUsTwice = answer['runsTwice'] === true
    isFresh = true
    return answer
  }
}
