import { appendFileSync, chmodSync, existsSync, renameSync, statSync } from 'node:fs'

export const MOST_LOG_BYTES = 5 * 1024 * 1024

/** How many lines wait while the disk is full; beyond that the oldest are dropped. */
const MOST_WAITING_LINES = 1000

/**
 * A log of two files of this size at most: a full file replaces the older one. Writing never throws, whatever the
 * disk does, because a failing log must not end the daemon.
 */
export class LogFile {
  readonly #path: string
  readonly #olderPath: string
  readonly #mostBytes: number
  #bytes = 0
  #waiting: string[] = []
  /** Whether the last write may have been incomplete. */
  #isTorn = false

  constructor(path: string, olderPath: string, mostBytes = MOST_LOG_BYTES) {
    this.#path = path
    this.#olderPath = olderPath
    this.#mostBytes = mostBytes
    unlessItFails(() => {
      this.#bytes = statSync(path).size
      chmodSync(path, 0o600)
    })
  }

  write(line: string): void {
    this.#waiting.push(line.endsWith('\n') ? line : `${line}\n`)
    unlessItFails(() => {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        this.#append(Buffer.from(this.#isTorn ? `\n${next}` : next).subarray(0, this.#mostBytes))
        this.#waiting.shift()
      }
    })
    this.#waiting = this.#waiting.slice(-MOST_WAITING_LINES)
  }

  #append(text: Buffer): void {
    if (this.#bytes + text.length > this.#mostBytes) {
      // If somebody removed the file, there is nothing to rename.
      if (existsSync(this.#path)) renameSync(this.#path, this.#olderPath)
      this.#bytes = 0
    }
    this.#isTorn = true
    appendFileSync(this.#path, text, { mode: 0o600 })
    this.#isTorn = false
    this.#bytes += text.length
  }
}

function unlessItFails(act: () => void): void {
  try {
    act()
  } catch {
    // The next line tries again.
  }
}
