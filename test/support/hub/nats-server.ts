import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Folder, folderWith } from '../folders/folder.ts'

/** Debian puts it where only root looks. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

export const NATS_SERVER = FOLDERS.map((folder) => join(folder, 'nats-server')).find(isProgram)

/** Why tests that need one do not run. */
export const WITHOUT_NATS =
  NATS_SERVER === undefined
    ? 'there is no nats-server on the path (in Debian: apt-get install nats-server)'
    : undefined

export interface NatsServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Where its configuration and its data are. */
  readonly folder: Folder
  /** Where JetStream keeps its messages, which a test may remove or put back while the server is down. */
  readonly data: string
  log(): string
  /** Ends it and waits until it is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again at the same port, with what is in its folder. */
  start(): Promise<void>
  /** Has it read a changed configuration. */
  reload(configuration: string): Promise<void>
  /** Stops its process as a laptop that goes to sleep does, or lets it go on. */
  signal(signal: NodeJS.Signals): void
}

export interface NatsPlace {
  /** Left out: a random port of this machine. */
  readonly port?: number
  /** Its configuration; where it listens is said beside it, and where it keeps its data unless it says so itself. */
  readonly configuration?: (folder: Folder) => string | Promise<string>
  /** A command that runs the server, and becomes it. */
  readonly within?: readonly string[]
}

/** A real server with JetStream on this machine, with a folder of its own. */
export async function startNats(place: NatsPlace = {}): Promise<NatsServer> {
  const { port: wanted, configuration, within = [] } = place
  const folder = await folderWith({ 'data/': '' })
  const path = folder.at('server.conf')
  const data = folder.at('data')
  let port = wanted ?? -1
  let process: RunningServer | undefined
  const write = (text: string) =>
    writeFile(path, /^jetstream/m.test(text) ? text : `${text}\njetstream { store_dir: "${data}" }\n`)
  const start = async () => {
    process = await run(['-c', path, '-a', '127.0.0.1', '-p', String(port)], within)
    port = process.port
  }
  try {
    await write((await configuration?.(folder)) ?? '')
    await start()
  } catch (error) {
    await folder[Symbol.asyncDispose]()
    throw error
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => await process?.stop(signal)
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    folder,
    data,
    log: () => process?.log() ?? '',
    stop,
    start,
    reload: async (text) => {
      await write(text)
      const done = process?.said(/Reloaded server configuration/)
      process?.child.kill('SIGHUP')
      await done
    },
    signal: (signal) => process?.child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL')
      await folder[Symbol.asyncDispose]()
    },
  }
}

interface RunningServer {
  readonly child: ChildProcess
  readonly port: number
  log(): string
  /** Resolves with the next line that matches. */
  said(pattern: RegExp): Promise<string>
  stop(signal: NodeJS.Signals): Promise<void>
}

async function run(words: readonly string[], within: readonly string[]): Promise<RunningServer> {
  if (NATS_SERVER === undefined) throw new Error('There is no nats-server on the path')
  const [program = '', ...parameters] = [...within, NATS_SERVER, ...words]
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  const lines = createInterface({ input: child.stderr })
  lines.on('line', (line) => {
    log += `${line}\n`
  })
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const hear = (line: string) => {
        if (!pattern.test(line)) return
        lines.off('line', hear)
        resolve(line)
      }
      lines.on('line', hear)
      child.once('exit', (code) => reject(new Error(`nats-server exited with ${code}:\n${log}`)))
    })
  const listening = said(/Listening for client connections on/)
  const isReady = said(/Server is ready/)
  const [line] = await Promise.all([listening, isReady])
  return {
    child,
    port: Number(/:(\d+)$/.exec(line)?.[1]),
    log: () => log,
    said,
    stop: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    },
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
