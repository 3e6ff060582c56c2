import type { Work } from '../../protocol/work.ts'

/** What delegated work needs from outside, in addition to the ports of the engine. */

/** Sends messages to the agents of other repositories. */
export interface AgentWire {
  /**
   * Posts to the agent that the URL belongs to. Throws a Fault when nobody answers, and when the signal is aborted.
   */
  post(url: string, message: { body: string; to: string }, signal: AbortSignal): Promise<WireAnswer>
}

export interface WireAnswer {
  readonly status: number
  /** Whether messages come one after the other as a stream; otherwise there is at most one. */
  readonly isStream: boolean
  /** Parsed JSON; undefined for an invalid message. */
  readonly messages: AsyncIterable<unknown>
}

/** The files of delegated work, one each. */
export interface WorkFiles {
  /** Oldest first. */
  load(): Promise<readonly Work[]>
  /** Durable when this returns. */
  save(work: Work): Promise<void>
  remove(workId: string): Promise<void>
}
