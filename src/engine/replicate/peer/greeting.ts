import type { Self } from '../../../domain/env.ts'
import type { Peer } from '../../../domain/model.ts'
import type { JsonObject } from '../../../protocol/json/json.ts'
import type { Clock } from '../../ports/ports.ts'
import type { Lives } from './boot-ids.ts'
import { clockSkew } from './clock-skew.ts'
import type { Clocks } from './clocks.ts'
import type { Conversation } from './conversation.ts'

export interface GreetingDeps {
  self: Self
  peer: Peer
  conversation: Conversation
  clock: Clock
  /** Of this process. */
  life: string
  clocks: Clocks
  lives: Lives
}

/**
 * Says hello to another cacpd: at first to agree on where to go on from, and then again and again, because clocks
 * are set, and a second daemon may come up under either name.
 */
export class Greeting {
  readonly #deps: GreetingDeps
  #clockSkewSeconds: number | null = null
  #hearsUsTwice = false
  #isFresh = false
  #isEnded = false

  constructor(deps: GreetingDeps) {
    this.#deps = deps
  }

  async make(): Promise<JsonObject> {
    const { self, peer, conversation, clock, clocks, lives, life } = this.#deps
    const asked = clock.now()
    const answer = await conversation.call('cacp/sync/hello', { storeId: self.storeId, life })
    this.#clockSkewSeconds = clockSkew(answer['now'], { asked, answered: clock.now() })
    // The answer may come after the end, as of a peer that was removed: nobody would ever take this back.
    if (!this.#isEnded) {
      clocks.note(peer, this.#clockSkewSeconds)
      if (typeof answer['life'] === 'string') lives.see(peer.agent_id, answer['life'])
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

  end(): void {
    this.#isEnded = true
    this.#deps.clocks.note(this.#deps.peer, null)
  }

  report() {
    return { clockSkewSeconds: this.#clockSkewSeconds, hearsUsTwice: this.#hearsUsTwice }
  }
}
