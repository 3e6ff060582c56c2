import { appendFileSync, chmodSync, existsSync, renameSync, statSync } from 'node:fs'

export const MOST_LOG_BYTES = 5 * 1024 * 1024

/**
 * A log that takes twice this at most: a full file makes room by becoming the older one. Whatever the disk says, nobody
 * who writes here fails by it: a log is not worth a daemon.
 */
export class LogFile {
  readonly #path: string
  readonly #olderPath: string
  readonly #mostBytes: number
  #bytes = 0

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
    const text = Buffer.from(line.endsWith('\n') ? line : `${line}\n`).subarray(0, this.#mostBytes)
    unlessItFails(() => {
      if (this.#bytes + text.length > this.#mostBytes) {
        // Somebody may have taken it away, and then there is room.
        if (existsSync(this.#path)) renameSync(this.#path, this.#olderPath)
        this.#bytes = 0
      }
      appendFileSync(this.#path, text, { mode: 0o600 })
      this.#bytes += text.length
    })
  }
}

function unlessItFails(act: () => void): void {
  try {
    act()
  } catch {
    // The next line tries again.
  }
}
