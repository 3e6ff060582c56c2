import type { Caller } from '../../domain/env.ts'
import { keyNeeded } from '../dispatch/access.ts'
import type { Timers } from '../ports/ports.ts'

export interface LetInDeps {
  /** Whether nothing lets this caller in any more. */
  readonly isShutOut: (caller: Caller) => boolean
  readonly timers: Timers
}

/** How often those who stay are looked at: whoever is shut out is gone within a second. */
export const LOOK_MILLIS = 500

interface Watched {
  readonly caller: Caller
  readonly leave: () => void
}

/** Looks after callers who stay for longer than one answer takes: they may be shut out meanwhile. */
export class LetIn {
  readonly #deps: LetInDeps
  readonly #watched = new Set<Watched>()
  #cancel: () => void = () => {}

  constructor(deps: LetInDeps) {
    this.#deps = deps
  }

  /** Calls `leave` when the caller has been shut out, once. Returns what ends the watch. */
  watch(caller: Caller, leave: () => void): () => void {
    const one: Watched = { caller, leave }
    this.#watched.add(one)
    if (this.#watched.size === 1) this.#lookLater()
    return () => this.#forget(one)
  }

  /** The same for whoever is to be told of this caller alone. */
  watching(caller: Caller): (leave: () => void) => () => void {
    return (leave) => this.watch(caller, leave)
  }

  /** What is told to the caller for as long as it is let in; after that, the refusal. */
  async *during<Told>(
    { caller, what, signal }: { caller: Caller; what: string; signal?: AbortSignal | undefined },
    tell: (signal: AbortSignal) => AsyncIterable<Told>,
  ): AsyncGenerator<Told> {
    const out = new AbortController()
    const unwatch = this.watch(caller, () => out.abort())
    try {
      for await (const told of tell(
        signal === undefined ? out.signal : AbortSignal.any([signal, out.signal]),
      )) {
        if (out.signal.aborted) break
        yield told
      }
    } finally {
      unwatch()
    }
    this.assert(caller, what)
  }

  assert(caller: Caller, what: string): void {
    if (this.#deps.isShutOut(caller)) throw keyNeeded(what)
  }

  /** Looks at all who stay, as when somebody was shut out just now. */
  look(): void {
    for (const one of [...this.#watched]) {
      if (!this.#deps.isShutOut(one.caller)) continue
      this.#forget(one)
      one.leave()
    }
  }

  #lookLater(): void {
    this.#cancel = this.#deps.timers.after(LOOK_MILLIS, () => {
      this.look()
      if (this.#watched.size > 0) this.#lookLater()
    })
  }

  #forget(one: Watched): void {
    if (this.#watched.delete(one) && this.#watched.size === 0) this.#cancel()
  }
}
