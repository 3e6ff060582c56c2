import { isNamed } from '../../domain/files/shared-file.ts'
import { forgettingUploads } from '../../domain/files/upload.ts'
import { addMicros } from '../../protocol/stamp.ts'
import type { Clock, Files, Store, Timers } from '../ports/ports.ts'

export interface FileCollectorDeps {
  readonly files: Files
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly timers: Timers
  /** How long a file that no packet names is kept, because such a packet may still come. */
  readonly keptSeconds: number
}

const HOUR_SECONDS = 3600

/** Removes files that no packet names. */
export class FileCollector implements AsyncDisposable {
  readonly #deps: FileCollectorDeps
  #cancel: () => void = () => {}
  #running: Promise<void> = Promise.resolve()
  #isOver = false

  constructor(deps: FileCollectorDeps) {
    this.#deps = deps
  }

  /** Collects from now on, at regular intervals. */
  start(): void {
    if (this.#isOver) return
    const { timers, keptSeconds } = this.#deps
    this.#cancel = timers.after(Math.min(keptSeconds, HOUR_SECONDS) * 1000, () => {
      this.#running = this.collect()
        // If it fails, the next time may succeed.
        .catch(() => {})
        .then(() => this.start())
    })
  }

  async collect(): Promise<void> {
    const { files, store, clock, keptSeconds } = this.#deps
    const { view } = store
    const horizon = addMicros(clock.now(), -keptSeconds * 1_000_000)
    const recent = new Set<string>()
    for (const { sha256, at } of view.uploads.oldestFirst()) if (at >= horizon) recent.add(sha256)
    await files.removeUnless((sha256) => recent.has(sha256) || isNamed(view, sha256), horizon)
    await store.commit((now) => ({
      result: undefined,
      local: forgettingUploads(now, (sha256) => now.fileSize(sha256) === undefined && !recent.has(sha256)),
    }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    this.#cancel()
    await this.#running
  }
}
