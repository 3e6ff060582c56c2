import { LIMITS } from '../../../protocol/limits.ts'

interface Skew {
  readonly name: string
  /** By how much the peer's clock is ahead of ours. */
  readonly seconds: number
}

/**
 * How far the clocks of connected peers are from ours, as last measured, where that is too far: what is stamped too
 * far ahead of a clock is not taken before that clock has come as far. So whoever writes meanwhile is told.
 */
export class Clocks {
  readonly #skews = new Map<string, Skew>()
  #hint: string | undefined

  /** Null when it is not known any more. */
  note(peer: { agent_id: string; repo_name: string }, skewSeconds: number | null): void {
    const { agent_id, repo_name } = peer
    if (skewSeconds === null || Math.abs(skewSeconds) <= LIMITS.clockAheadSeconds)
      this.#skews.delete(agent_id)
    else this.#skews.set(agent_id, { name: repo_name || agent_id, seconds: skewSeconds })
    const behind = [...this.#skews.values()].filter(({ seconds }) => seconds < 0)
    this.#hint = behind.length === 0 ? undefined : behind.map(tell).join('. ')
  }

  /** For whoever writes now; undefined while all peers take it. */
  get hint(): string | undefined {
    return this.#hint
  }

  warnings(): string[] {
    return Array.from(this.#skews.values(), tell)
  }
}

const MEND = 'set the clock that is wrong'

const tell = ({ name, seconds }: Skew): string =>
  seconds < 0
    ? `The clock here is ${-seconds} s ahead of that of ${name}, which takes what is written here only when its clock has come that far: ${MEND}`
    : `The clock of ${name} is ${seconds} s ahead of the one here, so what is written there is taken here only when the clock here has come that far: ${MEND}`
