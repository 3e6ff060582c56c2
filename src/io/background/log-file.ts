import { appendFileSync, chmodSync, existsSync, renameSync, statSync } from 'node:fs'

export const MOST_LOG_BYTES = 5 * 1024 * 1024

/** What a full disk does not take waits here until it does; then the oldest of it is dropped. */
const MOST_WAITING_LINES = 1000

/**
 * A log that takes twice this at most: a full file makes room by becoming the older one. Whatever the disk says, nobody
 * who writes here fails by it: a log is not worth a daemon.
 */
export class LogFile {
  readonly #path: string
  readonly #olderPath: string
  readonly #mostBytes: number
  #bytes = 0
  #waiting: string[] = []
  /** The disk took a piece of a line last. */
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
      // Somebody may have taken it away, and then there is room.
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
    // With the next line it is tried again.
  }
}
