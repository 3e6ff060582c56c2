import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import { endLeftover } from './process-tree.ts'

export interface CommandEnd {
  /** As a shell says it: 128 and the number of the signal that ended it, 127 where it cannot be run. */
  readonly exitCode: number
  readonly durationMs: number
  /** Of all that it printed. */
  readonly sha256: string
  /** The last characters of it. */
  readonly tail: string
}

interface WatchedCommand {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Most characters that are kept of the end. */
  readonly tailLength: number
  /** Called with everything that is printed, as it comes. */
  readonly print: (text: Buffer) => void
  /** Aborted when the command is to be ended. */
  readonly signal?: AbortSignal | undefined
}

/** How long a command may take to end before it is killed, and what it printed to come in after it ended. */
const GRACE_MILLIS = 2000

/**
 * Runs a command in the foreground. However much it prints, only the end is kept. It is over when the command itself
 * has ended, whatever it left running; one that is to be ended is ended with all that it began.
 */
export function watchCommand(watched: WatchedCommand): Promise<CommandEnd> {
  const { words, cwd, env, tailLength, print, signal } = watched
  const [program = '', ...args] = words
  const began = performance.now()
  const hash = createHash('sha256')
  let kept = Buffer.alloc(0)
  const note = (chunk: Buffer) => {
    hash.update(chunk)
    // A character has at most four bytes.
    kept = Buffer.concat([kept, chunk]).subarray(-4 * tailLength)
    print(chunk)
  }
  return new Promise((resolve) => {
    const mark = `CACP_VERIFY=${randomUUID()}`
    const [name = '', value] = mark.split('=')
    const child = spawn(program, args, {
      cwd,
      env: { ...env, [name]: value },
      stdio: ['inherit', 'pipe', 'pipe'],
    })
    const { pid } = child
    const stop = () => {
      child.kill('SIGTERM')
      setTimeout(() => {
        child.kill('SIGKILL')
        if (pid !== undefined) endLeftover({ pid, start: undefined, mark }).catch(() => {})
      }, GRACE_MILLIS).unref()
    }
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop, { once: true })
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    let isOver = false
    const end = (exitCode: number) => {
      if (isOver) return
      isOver = true
      signal?.removeEventListener('abort', stop)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({
        exitCode,
        durationMs: Math.round(performance.now() - began),
        sha256: hash.digest('hex'),
        tail: kept.toString().slice(-tailLength),
      })
    }
    child.once('error', (error) => {
      note(Buffer.from(`${program}: ${error.message}\n`))
      end(127)
    })
    const codeOf = (code: number | null, ended: NodeJS.Signals | null) =>
      code ?? 128 + (ended === null ? 0 : constants.signals[ended])
    child.once('exit', (code, ended) => setTimeout(() => end(codeOf(code, ended)), GRACE_MILLIS).unref())
    child.once('close', (code, ended) => {
      if (pid !== undefined) end(codeOf(code, ended))
    })
  })
}
