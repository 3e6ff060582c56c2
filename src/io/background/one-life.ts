import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { jsonIn } from '../../protocol/json/in.ts'
import type { Life } from '../../setup/service/restarts.ts'
import { isProblem, type Problem } from './state.ts'

export interface Command {
  readonly program: string
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export interface LifeEvents {
  /** What it printed to say where it listens. */
  listening(line: Readonly<Record<string, unknown>>): void
  said(line: string): void
}

export interface EndedLife extends Life {
  readonly problem: Problem
}

/** Runs `cacpd start --json` and returns when its process has ended and all that it said was heard. */
export async function oneLife(command: Command, stop: AbortSignal, events: LifeEvents): Promise<EndedLife> {
  const { program, words, cwd, env } = command
  const began = performance.now()
  let hasListened = false
  let refusal: Problem | undefined
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGTERM')
  stop.addEventListener('abort', end)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = Object(jsonIn(line)) as Record<string, unknown>
    if (said['event'] === 'listening') {
      hasListened = true
      events.listening(said)
    } else if (isProblem(said['error'])) {
      refusal = said['error']
      events.said(`error: ${refusal.message}`)
    } else events.said(line)
  })
  createInterface({ input: child.stderr }).on('line', (line) => events.said(line))
  try {
    if (stop.aborted) end()
    // Not `exit`: what it said last, which is why it ended, must have arrived.
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
