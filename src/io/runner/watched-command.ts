import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants } from 'node:os'

/** How a command ended, and what it printed. */
export interface CommandEnd {
  /** As a shell says it: 128 and the number of the signal that ended it, 127 where it cannot be run. */
  readonly exitCode: number
  readonly durationMs: number
  /** Of all that it printed. */
  readonly sha256: string
  /** The last characters of it. */
  readonly tail: string
}

export interface WatchedCommand {
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

/** Runs a command in the foreground. However much it prints, only the end is kept. */
export function watchCommand({
  words,
  cwd,
  env,
  tailLength,
  print,
  signal,
}: WatchedCommand): Promise<CommandEnd> {
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
    const child = spawn(program, args, { cwd, env, stdio: ['inherit', 'pipe', 'pipe'] })
    const stop = () => child.kill('SIGTERM')
    signal?.addEventListener('abort', stop, { once: true })
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    const end = (exitCode: number) => {
      signal?.removeEventListener('abort', stop)
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
    child.once('close', (code, ended) => {
      if (child.pid !== undefined) end(code ?? 128 + (ended === null ? 0 : constants.signals[ended]))
    })
  })
}
