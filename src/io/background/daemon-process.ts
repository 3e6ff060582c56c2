import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { jsonIn } from '../../protocol/json/in.ts'
import type { ProcessExit } from '../../setup/service/restarts.ts'
import { Problem } from './state.ts'

export interface Command {
  readonly program: string
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export interface DaemonOutput {
  /** Called with the line in which the daemon reports its URL. */
  listening(line: Readonly<Record<string, unknown>>): void
  printed(line: string): void
}

/** Runs `cacpd start --json` once, and returns when the process has ended and all its output was read. */
export async function runDaemon(
  command: Command,
  stop: AbortSignal,
  events: DaemonOutput,
): Promise<ProcessExit & { readonly problem: Problem }> {
  const { program, words, cwd, env } = command
  const began = performance.now()
  let hasListened = false
  let refusal: Problem | undefined
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGTERM')
  stop.addEventListener('abort', end)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const printed = Object(jsonIn(line)) as Record<string, unknown>
    const { data: told } = Problem.safeParse(printed['error'])
    if (printed['event'] === 'listening') {
      hasListened = true
      events.listening(printed)
    } else if (told !== undefined) {
      refusal = told
      events.printed(`error: ${refusal.message}`)
    } else events.printed(line)
  })
  createInterface({ input: child.stderr }).on('line', (line) => events.printed(line))
  try {
    if (stop.aborted) end()
    // Waits for `close`, not `exit`: the last output, which says why it ended, must have been read.
    const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null]
    const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`
    const problem = refusal ?? { message: `The daemon ended with ${how}`, next: 'See `cacpd logs`' }
    return { millis: performance.now() - began, hasListened, exitCode, problem }
  } catch (error) {
    const problem = { message: `The daemon cannot be started (${(error as NodeJS.ErrnoException).code})` }
    return { millis: 0, hasListened, exitCode: null, problem }
  } finally {
    stop.removeEventListener('abort', end)
  }
}
