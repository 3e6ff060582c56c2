import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { type Folder, folderWith } from '../folders/folder.ts'

/** Why no disks can be made here; undefined where they can. */
export const WITHOUT_DISKS: string | undefined =
  spawnSync('unshare', ['--mount', 'sh', '-c', 'command -v nsenter && mount -t tmpfs tmpfs /mnt']).status ===
  0
    ? undefined
    : 'needs root on Linux, with unshare and nsenter'

/** A disk of its own, which only those see that run within it, and which goes when the test does. */
export class SmallDisk implements AsyncDisposable {
  readonly #holder: ChildProcess
  readonly #folder: Folder

  /** The size as `mount` understands it. */
  static async open(size: string): Promise<SmallDisk> {
    const folder = await folderWith({ 'disk/': '' })
    const hold = 'mount -t tmpfs -o "size=$1" tmpfs "$0" && echo ready && exec cat'
    const holder = spawn('unshare', ['--mount', 'sh', '-c', hold, folder.at('disk'), size], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    return new SmallDisk(holder, folder)
  }

  private constructor(holder: ChildProcess, folder: Folder) {
    this.#holder = holder
    this.#folder = folder
  }

  get path(): string {
    return this.#folder.at('disk')
  }

  /** What a command is put behind to see it. */
  get within(): readonly string[] {
    return ['nsenter', '--target', String(this.#holder.pid), '--mount', '--']
  }

  /** Until nothing more can be written. */
  async fill(): Promise<void> {
    await this.#run('cat /dev/zero > "$0/filled" 2> /dev/null || true')
  }

  async free(): Promise<void> {
    await this.#run('rm "$0/filled"')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#holder, 'exit')
    this.#holder.stdin?.end()
    await exited
    await this.#folder[Symbol.asyncDispose]()
  }

  async #run(script: string): Promise<void> {
    const [program = '', ...parameters] = [...this.within, 'sh', '-c', script, this.path]
    await promisify(execFile)(program, parameters)
  }
}
