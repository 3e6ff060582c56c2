import { readEndpoint } from '../../src/io/place/data-dir.ts'
import { type DaemonProcess, startProcess } from '../support/daemons/process.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'
import type { NetworkNamespace } from '../support/network/namespace.ts'

const BIN = new URL('../../bin/cacpd.js', import.meta.url).pathname
/** So that a peer that was away is looked for again soon. */
const HASTE = { peerCallSeconds: 2, peerRetrySeconds: [0, 1], peerPauseSeconds: 1 }

/** A repository in a network of its own, with a daemon as a process there, used by commands there. */
export class Inhabitant implements AsyncDisposable {
  readonly #network: NetworkNamespace
  readonly #folder: Folder
  readonly #flags: readonly string[]
  #daemon: DaemonProcess

  static async start(
    network: NetworkNamespace,
    name: string,
    more: readonly string[] = [],
  ): Promise<Inhabitant> {
    const folder = await folderWith({ '.cacp/config.json': JSON.stringify(HASTE) })
    const named = ['--repo', `${name}-app`, '--agent-id', `aid://example.com/${name}@1.0.0`]
    const flags = ['--log-level', 'warn', ...named, ...more]
    return new Inhabitant(network, folder, { flags, daemon: await startIn(network, folder, flags) })
  }

  private constructor(
    network: NetworkNamespace,
    folder: Folder,
    { flags, daemon }: { flags: readonly string[]; daemon: DaemonProcess },
  ) {
    this.#network = network
    this.#folder = folder
    this.#flags = flags
    this.#daemon = daemon
  }

  get url(): string {
    return this.#daemon.url
  }

  /** Undefined as long as it runs. */
  get ending(): { code: number | null; signal: string | null; log: string } | undefined {
    const { exitCode: code, signalCode: signal } = this.#daemon.child
    return code === null && signal === null ? undefined : { code, signal, log: this.#daemon.log() }
  }

  async restart(): Promise<void> {
    await this.#daemon.stop('SIGKILL')
    this.#daemon = await startIn(this.#network, this.#folder, this.#flags)
  }

  /** Ends it as a service manager does; its exit code. */
  stop(): Promise<number | null> {
    return this.#daemon.stop('SIGTERM')
  }

  /** What a command prints. */
  cacpd(...words: readonly string[]): Promise<string> {
    return this.#network.run([process.execPath, BIN, '-C', this.#folder.path, ...words])
  }

  /** What a command that fails ends with. */
  async failureOf(...words: readonly string[]): Promise<{ code: number; stderr: string }> {
    return this.cacpd(...words).then(
      (printed) => ({ code: 0, stderr: printed }),
      ({ code, stderr }) => ({ code, stderr }),
    )
  }

  async projects(): Promise<string[]> {
    const { projects } = await this.call('cacp/project/list')
    return projects.map(({ name }: { name: string }) => name).sort()
  }

  async peer(): Promise<{ health: string; lastError: string | null }> {
    return (await this.call('cacp/peer/list')).peers[0]
  }

  /** By curl: a command would take most of a second of a processor each time. */
  // biome-ignore lint/suspicious/noExplicitAny: results of several methods
  async call(method: string, params: object = {}): Promise<any> {
    const url = (await readEndpoint(this.#folder.at('.cacp')))?.url ?? this.url
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = [
      '-H',
      `Authorization: Bearer ${this.#daemon.key}`,
      '-H',
      'Content-Type: application/json',
    ]
    const said = await this.#network.run(['curl', '-sS', '--insecure', ...headers, '-d', body, url])
    return JSON.parse(said).result
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemon.stop('SIGKILL')
    await this.#folder[Symbol.asyncDispose]()
  }
}

const startIn = (
  { within }: NetworkNamespace,
  folder: Folder,
  flags: readonly string[],
): Promise<DaemonProcess> => startProcess(folder.at('.cacp'), flags, { within })
