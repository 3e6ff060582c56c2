import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { getOrAdd } from '../src/protocol/collections/get-or-add.ts'
import type { Filled, FillJob } from './fill.ts'
import { AGENT_ID, REPO } from './material.ts'

const MEMORY = '/dev/shm'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A server that is being measured. */
export interface Running {
  port: number
  /** The operator key; empty where none is needed. */
  key: string
  /** Ends it in order, or by SIGKILL. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** A daemon that is being measured. */
export interface RunningDaemon extends Running {
  pid: number
  agentId: string
  repo: string
}

/** How a daemon differs from the one that the figures without peers are about. */
export interface DaemonOptions {
  /** Its repository, and the name in its agent ID. */
  name?: string
  /** Lets other daemons in. */
  open?: boolean
  /** Settings from the environment. */
  env?: Readonly<Record<string, string>>
}

/** Owns every folder and process that the bench makes, and leaves nothing behind however it ends. */
export class Workshop implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'cacpd-bench-'))
  readonly #children = new Set<ChildProcess>()
  /** By script, the file that it was bundled into. */
  readonly #bundles = new Map<string, string>()
  #folders = 0
  #memory: string | undefined

  folder(): string {
    return join(this.#root, String(++this.#folders))
  }

  /** A folder on a disk in memory where there is one: a machine has one disk, and many daemons have many. */
  folderInMemory(): string {
    if (!existsSync(MEMORY)) return this.folder()
    this.#memory ??= mkdtempSync(join(MEMORY, 'cacpd-bench-'))
    return join(this.#memory, String(++this.#folders))
  }

  /** A script of this directory as a process. */
  fork(script: string, ...args: string[]): ChildProcess {
    return this.#keep(
      fork(pathOf(script), args, {
        execArgv: ['--import', 'tsx'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    )
  }

  /** The same bundled, as it is shipped: what runs a source directly wraps every function in it. */
  forkBundled(script: string, ...args: string[]): ChildProcess {
    const path = getOrAdd(this.#bundles, script, () => {
      // Below node_modules, so that it finds its packages.
      const outfile = pathOf(`../node_modules/.cache/bench/${script.replace(/\W/g, '-')}.mjs`)
      const how = [
        '--bundle',
        '--format=esm',
        '--platform=node',
        '--target=node20.18',
        '--packages=external',
        '--log-level=warning',
        `--outfile=${outfile}`,
      ]
      execFileSync(pathOf('../node_modules/.bin/esbuild'), [pathOf(script), ...how])
      return outfile
    })
    return this.#keep(fork(path, args, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }))
  }

  async server(script: string, ...args: string[]): Promise<Running> {
    const child = this.fork(script, ...args)
    const { port } = await answerOf<{ port: number }>(child, script)
    return { port, key: '', stop: (signal = 'SIGTERM') => end(child, signal) }
  }

  /** The daemon as its users run it: the built package, through its launcher. */
  async daemon(data: string, { name, open = false, env = {} }: DaemonOptions = {}): Promise<RunningDaemon> {
    const repo = name ?? REPO
    const agentId = name === undefined ? AGENT_ID : `aid://example.com/${name}@1.0.0`
    const args = ['--port', '0', '--data', data, '--json', '--log-level', 'warn']
    if (open) args.push('--open')
    const identity = ['--repo', repo, '--role', 'backend', '--language', 'python', '--agent-id', agentId]
    const child = this.#keep(
      spawn(process.execPath, [pathOf('../bin/cacpd.js'), 'start', ...args, ...identity], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: process.env['PATH'], ...env },
      }),
    )
    const line = await firstLine(child)
    const { url, pid } = JSON.parse(line) as { url: string; pid: number }
    const key = (await readFile(join(data, 'operator.key'), 'utf8')).trim()
    return {
      port: Number(new URL(url).port),
      key,
      pid,
      agentId,
      repo,
      stop: (signal = 'SIGTERM') => end(child, signal),
    }
  }

  /** Fills a new store and ends its writer, in order or by SIGKILL. Returns the ids of its projects. */
  async fill(job: FillJob, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<Filled> {
    const writer = this.fork('fill.ts', JSON.stringify(job))
    const filled = await answerOf<Filled>(writer, 'fill.ts')
    await end(writer, signal)
    return filled
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill('SIGKILL')
    for (const path of [this.#root, this.#memory])
      if (path !== undefined) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }

  #keep<C extends ChildProcess>(child: C): C {
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }
}

/** The next message of a child; it must not end before. */
export async function answerOf<Message>(child: ChildProcess, name: string): Promise<Message> {
  const stopped = new AbortController()
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal: stopped.signal }),
      once(child, 'exit', { signal: stopped.signal }).then(() => {
        throw new Error(`${name} ended too early`)
      }),
    ])
    return message as Message
  } finally {
    stopped.abort()
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new TypeError('the daemon needs a pipe for its stdout')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('The daemon ended before it was listening; see above. Is it built (npm run build)?')
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
