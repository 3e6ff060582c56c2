import type { Work } from '../../protocol/work.ts'

/** What delegating work needs of the world, besides what the engine needs anyway. */

/** Messages to the agents of other repositories. */
export interface AgentWire {
  /** To the agent that the URL is of. Ends with a Fault when nobody answers, and as soon as the signal says so. */
  post(url: string, message: { body: string; to: string }, signal: AbortSignal): Promise<WireAnswer>
}

export interface WireAnswer {
  readonly status: number
  /** Whether messages come as they happen; else there is one, or none. */
  readonly isStream: boolean
  /** Parsed JSON; undefined for what is none. */
  readonly messages: AsyncIterable<unknown>
}

/** The files that hold delegated work, one each. */
export interface WorkFiles {
  /** Oldest first. */
  load(): Promise<readonly Work[]>
  /** Durable when this returns. */
  save(work: Work): Promise<void>
  remove(workId: string): Promise<void>
}
