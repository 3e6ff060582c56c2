import type { Caller } from '../../domain/env.ts'
import { keyNeeded } from '../dispatch/access.ts'
import type { Timers } from '../ports/ports.ts'

export interface AccessWatchDeps {
  /** Whether the caller has lost its access. */
  readonly isShutOut: (caller: Caller) => boolean
  readonly timers: Timers
}

/** How often open connections are checked, so that whoever loses access is disconnected within a second. */
export const CHECK_MILLIS = 500

interface Watched {
  readonly caller: Caller
  readonly leave: () => void
}

/** Watches callers whose connection stays open, because they may lose their access meanwhile. */
export class AccessWatch {
  readonly #deps: AccessWatchDeps
  readonly #watched = new Set<Watched>()
  #cancel: () => void = () => {}

  constructor(deps: AccessWatchDeps) {
    this.#deps = deps
  }

  /** Calls `leave` once when the caller has lost its access. Returns a function that ends the watch. */
  watch(caller: Caller, leave: () => void): () => void {
    const one: Watched = { caller, leave }
    this.#watched.add(one)
    if (this.#watched.size === 1) this.#checkLater()
    return () => this.#forget(one)
  }

  /** The same with the caller fixed. */
  watching(caller: Caller): (leave: () => void) => () => void {
    return (leave) => this.watch(caller, leave)
  }

  /** Passes values on as long as the caller has access; after that, throws the refusal. */
  async *during<Value>(
    { caller, what, signal }: { caller: Caller; what: string; signal?: AbortSignal | undefined },
    open: (signal: AbortSignal) => AsyncIterable<Value>,
  ): AsyncGenerator<Value> {
    const out = new AbortController()
    const unwatch = this.watch(caller, () => out.abort())
    try {
      for await (const value of open(
        signal === undefined ? out.signal : AbortSignal.any([signal, out.signal]),
      )) {
        if (out.signal.aborted) break
        yield value
      }
    } finally {
      unwatch()
    }
    this.assert(caller, what)
  }

  assert(caller: Caller, what: string): void {
    if (this.#deps.isShutOut(caller)) throw keyNeeded(what)
  }

  /** Checks all watched callers now, for instance after a revocation. */
  look(): void {
    for (const one of [...this.#watched]) {
      if (!this.#deps.isShutOut(one.caller)) continue
      this.#forget(one)
      one.leave()
    }
  }

  #checkLater(): void {
    this.#cancel = this.#deps.timers.after(CHECK_MILLIS, () => {
      this.look()
      if (this.#watched.size > 0) this.#checkLater()
    })
  }

  #forget(one: Watched): void {
    if (this.#watched.delete(one) && this.#watched.size === 0) this.#cancel()
  }
}
