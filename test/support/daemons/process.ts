import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const BIN = new URL('../../../bin/cacpd.js', import.meta.url).pathname

export interface DaemonProcess {
  url: string
  key: string
  child: ChildProcess
  /** The whole line that `start --json` printed. */
  listening: Record<string, unknown>
  /** Everything it has written to stderr so far. */
  log(): string
  /** Ends it and waits until it is gone; answers its exit code, null when a signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

export interface ProcessPlace {
  readonly command?: 'start' | 'exchange' | 'mock'
  /** A command that runs the one that follows it, and becomes it. */
  readonly within?: readonly string[]
  /** Of another copy of the package. */
  readonly launcher?: string
}

/** The built daemon as a process of its own, the way a user starts it; or its exchange, or a mock of its contracts. */
export async function startProcess(
  dataDir: string,
  flags: readonly string[] = [],
  { command = 'start', within = [], launcher = BIN }: ProcessPlace = {},
): Promise<DaemonProcess> {
  const words = [...within, process.execPath, launcher, command, '--json', '--data', dataDir, ...flags]
  const [program = '', ...parameters] = words
  const child = spawn(program, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CACP_DATA: '' },
  })
  let log = ''
  child.stderr.on('data', (data: Buffer) => {
    log += data.toString()
  })
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(([code]) => {
      throw new Error(`cacpd exited with ${code} before listening: ${log}`)
    }),
  ])
  const listening = JSON.parse(first) as Record<string, unknown>
  return {
    url: String(listening['url']),
    key: (await readFile(join(dataDir, 'operator.key'), 'utf8')).trim(),
    child,
    listening,
    log: () => log,
    stop: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill(signal)
        await exited
      }
      return child.exitCode
    },
  }
}
