import type { Self } from '../../../domain/env.ts'
import { isJsonObject } from '../../../protocol/json/json.ts'
import type { Conversation } from './conversation.ts'

export interface IntroductionDeps {
  self: Self
  conversation: Conversation
  /** Where the peer was told before that we are. */
  told: string | undefined
  onTold(): void
}

/** Tells another cacpd who we are and where. */
export class Introduction {
  readonly #deps: IntroductionDeps
  #told: string | undefined

  constructor(deps: IntroductionDeps) {
    this.#deps = deps
    this.#told = deps.told
  }

  /** Where the peer was told that we are. */
  get told(): string | undefined {
    return this.#told
  }

  /**
   * Whoever it does not know gets only what any client may send. One that it knows it is not told of again unless we
   * moved: its operator may have found a better endpoint for us, and two daemons would wake each other without end.
   */
  async make(): Promise<void> {
    const { self, conversation } = this.#deps
    const { agentId, endpoint, repo } = self
    await conversation.call('cacp/peer/announce', { agentId, endpoint, repoName: repo })
    const hasMoved = this.#told !== undefined && this.#told !== endpoint
    if (!(await this.#isKnown()) || hasMoved) await this.#register()
    if (this.#told === undefined) this.#noteTold()
  }

  async #isKnown(): Promise<boolean> {
    const { conversation, self } = this.#deps
    const { peers } = await conversation.call('cacp/peer/list', {})
    return Array.isArray(peers) && peers.some((one) => isJsonObject(one) && one['agentId'] === self.agentId)
  }

  /** One that does not want to know us may still take what we send. */
  async #register(): Promise<void> {
    const { conversation, self } = this.#deps
    const { agentId, endpoint, repo } = self
    const isTaken = await conversation.register({ agentId, endpoint, repoName: repo }).then(
      () => true,
      () => false,
    )
    if (isTaken) this.#noteTold()
  }

  #noteTold(): void {
    this.#told = this.#deps.self.endpoint
    this.#deps.onTold()
  }
}
