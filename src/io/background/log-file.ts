import { appendFileSync, chmodSync, existsSync, renameSync, statSync } from 'node:fs'

const MOST_LOG_BYTES = 5 * 1024 * 1024

/** How many lines wait while the disk is full; beyond that the oldest are dropped. */
const MOST_WAITING_LINES = 1000

/**
 * A log of two files of this size at most: a full file replaces the older one. Writing never throws, whatever the
 * disk does, because a failing log must not end the daemon.
 */
export function openLogFile(path: string, olderPath: string, mostBytes = MOST_LOG_BYTES) {
  let bytes = 0
  let waiting: string[] = []
  /** Whether the last write may have been incomplete. */
  let isTorn = false
  unlessItFails(() => {
    bytes = statSync(path).size
    chmodSync(path, 0o600)
  })

  function append(text: Buffer): void {
    if (bytes + text.length > mostBytes) {
      // If somebody removed the file, there is nothing to rename.
      if (existsSync(path)) renameSync(path, olderPath)
      bytes = 0
    }
    isTorn = true
    appendFileSync(path, text, { mode: 0o600 })
    isTorn = false
    bytes += text.length
  }

  return {
    write(line: string): void {
      waiting.push(line.endsWith('\n') ? line : `${line}\n`)
      unlessItFails(() => {
        for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
          append(Buffer.from(isTorn ? `\n${next}` : next).subarray(0, mostBytes))
          waiting.shift()
        }
      })
      waiting = waiting.slice(-MOST_WAITING_LINES)
    },
  }
}

function unlessItFails(act: () => void): void {
  try {
    act()
  } catch {
    // The next line tries again.
  }
}
