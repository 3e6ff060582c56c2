import { join } from 'node:path'
import { request } from 'undici'
import { expect } from 'vitest'
import { canonicalText } from '../../src/protocol/json/canonical.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import { type DaemonProcess, startProcess } from '../support/daemons/process.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'

/** How long replicas may take to become equal. */
const BOUND = { timeout: 60_000, interval: 100 }

/** A daemon as a process in a folder of its own, which can be ended and started again. */
export class Member implements AsyncDisposable {
  readonly name: string
  readonly agentId: string
  readonly repo: string
  readonly #folder: Folder
  #process: DaemonProcess

  static async start(name: string): Promise<Member> {
    const folder = await folderWith()
    const process = await startProcess(join(folder.path, '.cacp'), [...flagsOf(name), '--port', '0'])
    return new Member(name, folder, process)
  }

  private constructor(name: string, folder: Folder, process: DaemonProcess) {
    this.name = name
    this.agentId = agentOf(name)
    this.repo = repoOf(name)
    this.#folder = folder
    this.#process = process
  }

  get url(): string {
    return this.#process.url
  }

  /** On the port of the first start, which the others know. */
  async startAgain(): Promise<void> {
    this.#process = await startProcess(join(this.#folder.path, '.cacp'), flagsOf(this.name))
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    await this.#process.stop(signal)
  }

  // biome-ignore lint/suspicious/noExplicitAny: results of several methods
  async call(method: string, params: object = {}, agentId = this.agentId): Promise<any> {
    return resultOf(await this.#post({ jsonrpc: '2.0', id: 1, method, params }, agentId))
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of several methods, or of many calls at once
  async #post(body: unknown, agentId = this.agentId): Promise<any> {
    const reply = await request(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${this.#process.key}`,
        'x-agent-id': agentId,
      },
      body: JSON.stringify(body),
    })
    return await reply.body.json()
  }

  connect(other: Member): Promise<unknown> {
    return this.call('cacp/peer/add', { url: other.url })
  }

  /** Every project in full, as this daemon shows it. */
  async state(): Promise<unknown[]> {
    const projects: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await this.call('cacp/project/overview', { limit: LIMITS.batchItems, cursor })
      const calls = page.projects.map(({ projectId }: { projectId: string }, id: number) => ({
        jsonrpc: '2.0',
        id,
        method: 'cacp/project/get',
        params: { projectId },
      }))
      if (calls.length > 0) projects.push(...(await this.#post(calls)).map(resultOf))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return projects
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop('SIGKILL')
    await this.#folder[Symbol.asyncDispose]()
  }
}

/** What was answered to a call; throws what the daemon said against it. */
function resultOf({ result, error }: { result?: unknown; error?: { message: string } }): unknown {
  if (error !== undefined) throw Object.assign(new Error(error.message), error)
  return result
}

export const agentOf = (name: string): string => `aid://example.com/${name}@1.0.0`
export const repoOf = (name: string): string => `${name}-app`

const flagsOf = (name: string): string[] => [
  ...['--open', '--log-level', 'warn'],
  ...['--repo', repoOf(name), '--agent-id', agentOf(name)],
]

/** Waits until all show the same and answers it; nobody does anything meanwhile. */
export async function equalState(members: readonly Member[]): Promise<unknown[]> {
  const texts = async () => Promise.all(members.map(async (member) => canonicalText(await member.state())))
  await expect.poll(async () => new Set(await texts()).size, BOUND).toBe(1)
  return (await members[0]?.state()) ?? []
}

export const eventually = (look: () => Promise<unknown>) => expect.poll(() => look().catch(() => null), BOUND)
