import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { type Folder, folderWith } from '../folders/folder.ts'

const run = promisify(execFile)

/** Why no networks can be made here; undefined where they can. Only root can, on Linux, with the tools of util-linux and iproute2. */
export const WITHOUT_NAMESPACES: string | undefined =
  spawnSync('unshare', ['--net', '--mount', 'sh', '-c', 'command -v nsenter && ip link set lo up']).status ===
  0
    ? undefined
    : 'needs root on Linux, with unshare, nsenter and ip'

/** A network of its own, with no way out, and a hosts file of its own. It goes when the test does. */
export class NetworkNamespace implements AsyncDisposable {
  readonly #holder: ChildProcess
  readonly #folder: Folder

  /** `hosts`: addresses by name. Other names are looked for here, and as long as half a minute. */
  static async open(hosts: Readonly<Record<string, string>>): Promise<NetworkNamespace> {
    const known = { localhost: '127.0.0.1', ...hosts }
    const lines = Object.entries(known).map(([name, address]) => `${address} ${name}\n`)
    const folder = await folderWith({
      hosts: lines.join(''),
      'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:30 attempts:1\n',
    })
    const hold = `for one in hosts resolv.conf; do mount --bind "$0/$one" "/etc/$one" || exit; done
      ip link set lo up && echo ready && exec cat`
    const holder = spawn('unshare', ['--net', '--mount', 'sh', '-c', hold, folder.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    return new NetworkNamespace(holder, folder)
  }

  private constructor(holder: ChildProcess, folder: Folder) {
    this.#holder = holder
    this.#folder = folder
  }

  get pid(): number {
    return this.#holder.pid ?? 0
  }

  /** What a command is put behind to run in here. */
  get within(): readonly string[] {
    return ['nsenter', '--target', String(this.pid), '--net', '--mount', '--']
  }

  async run(words: readonly string[]): Promise<string> {
    const [program = '', ...parameters] = [...this.within, ...words]
    const { stdout } = await run(program, parameters, { env: { ...process.env, CACP_DATA: '' } })
    return stdout.trim()
  }

  /** As `ip` understands it. */
  ip(words: string): Promise<string> {
    return this.run(['ip', ...words.split(' ')])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#holder, 'exit')
    this.#holder.stdin?.end()
    await ended
    await this.#folder[Symbol.asyncDispose]()
  }
}

/** The server of names of a network, which never answers. */
export interface SilentNames extends AsyncDisposable {
  /** How many questions came. */
  asked(): number
}

export async function silenceNames({ within }: NetworkNamespace): Promise<SilentNames> {
  const script = `require('node:dgram').createSocket('udp4').bind(53, '127.0.0.1')
    .on('listening', () => process.stdout.write('!')).on('message', () => process.stdout.write('?'))
  process.stdin.on('end', () => process.exit()).resume()`
  const [program = '', ...parameters] = [...within, process.execPath, '-e', script]
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  let questions = 0
  child.stdout.on('data', ({ length }: Buffer) => {
    questions += length
  })
  return {
    asked: () => questions,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

/** Lays a cable between two networks; each gets the address at its end of it. */
export async function connectNetworks(
  [one, address]: readonly [NetworkNamespace, string],
  [other, otherAddress]: readonly [NetworkNamespace, string],
): Promise<void> {
  await one.ip(`link add cable type veth peer name cable netns ${other.pid}`)
  await one.ip(`addr add ${address}/24 dev cable`)
  await other.ip(`addr add ${otherAddress}/24 dev cable`)
  await one.ip('link set cable up')
  await other.ip('link set cable up')
}
