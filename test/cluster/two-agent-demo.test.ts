import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { type DaemonProcess, startProcess } from '../support/daemons/process.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'
import type { PlainProject } from '../support/plain-peer/models.ts'
import { defaultAgentId, servePlainPeer } from '../support/plain-peer/server.ts'
import { playTwoAgentDemo } from '../support/plain-peer/two-agent-demo.ts'

const BOUND = { timeout: 30_000, interval: 50 }

/** `cacpd start --open` of a repository, and nothing else said. */
class OpenDaemon implements AsyncDisposable {
  readonly #folder: Folder
  readonly #process: DaemonProcess

  static async start(repo: string): Promise<OpenDaemon> {
    const folder = await folderWith()
    const flags = ['--open', '--repo', repo, '--port', '0', '--log-level', 'warn']
    return new OpenDaemon(folder, await startProcess(join(folder.path, '.cacp'), flags))
  }

  private constructor(folder: Folder, process: DaemonProcess) {
    this.#folder = folder
    this.#process = process
  }

  get url(): string {
    return this.#process.url
  }

  /** As the reference registers: by the name it gives its agent, without a repository. */
  async register(agentId: string, endpoint: string): Promise<unknown> {
    return post(`${this.url}/peers/register`, { agentId, endpoint })
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async call(method: string, params: object): Promise<any> {
    return (await post(this.url, { jsonrpc: '2.0', id: 1, method, params })).result
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop('SIGKILL')
    await this.#folder[Symbol.asyncDispose]()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function post(url: string, body: object): Promise<any> {
  const reply = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return reply.body.json()
}

/** What the reference knows of a project, without times: it stamps what it takes anew. */
const asPlain = (project: PlainProject | undefined) =>
  project && {
    name: project.name,
    objective: project.objective,
    repos: project.repos.map(({ name, assigned_agent }) => ({ name, assigned_agent })),
    contracts: project.contracts.map(({ name, version, status, content, implementations }) => ({
      name,
      version,
      status,
      content,
      work: implementations
        .map(({ repo_id, agent_id, status: done, files, plan }) => [repo_id, agent_id, done, files, plan])
        .sort(),
    })),
    packets: project.context_history
      .map(({ packet_id, type, from_repo }) => [packet_id, type, from_repo])
      .sort(),
  }

describe('the two-agent demo of the reference (CACP-32)', () => {
  test('ends verified where only one of two daemons was told of the other, and nobody waits until they met', async () => {
    await using backend = await OpenDaemon.start('backend-api')
    await using frontend = await OpenDaemon.start('frontend-app')
    const named = { backend: defaultAgentId('backend-api'), frontend: defaultAgentId('frontend-app') }
    await backend.register(named.frontend, frontend.url)
    const { said } = await playTwoAgentDemo(
      { url: backend.url, agentId: named.backend },
      { url: frontend.url, agentId: named.frontend },
    )
    expect(said.at(-1)?.result).toEqual({ status: 'verified', contractStatus: 'verified' })
  })

  test('ends verified with two open daemons in the place of its agents, and a reference beside them', async () => {
    await using backend = await OpenDaemon.start('backend-api')
    await using frontend = await OpenDaemon.start('frontend-app')
    await using plain = await servePlainPeer({ repoName: 'mobile-app' })
    const named = { backend: defaultAgentId('backend-api'), frontend: defaultAgentId('frontend-app') }
    const registered = { status: 'registered', peerCount: 1 }
    expect(await backend.register(named.frontend, frontend.url)).toEqual(registered)
    await frontend.register(named.backend, backend.url)
    for (const daemon of [backend, frontend])
      expect(await daemon.register(defaultAgentId('mobile-app'), plain.url)).toMatchObject({
        status: 'registered',
      })
    const peersOf = async (daemon: OpenDaemon) =>
      (await daemon.call('cacp/peer/list', {})).peers.map(
        ({ repoName, health }: Record<string, unknown>) => `${repoName} ${health}`,
      )
    await expect
      .poll(() => peersOf(backend), BOUND)
      .toEqual(expect.arrayContaining(['frontend-app healthy', 'mobile-app healthy']))
    await expect
      .poll(() => peersOf(frontend), BOUND)
      .toEqual(expect.arrayContaining(['backend-api healthy', 'mobile-app healthy']))

    const { projectId, said } = await playTwoAgentDemo(
      { url: backend.url, agentId: named.backend },
      { url: frontend.url, agentId: named.frontend },
    )
    expect(said.at(-1)?.result).toEqual({ status: 'verified', contractStatus: 'verified' })

    const projectAt = (daemon: OpenDaemon) => daemon.call('cacp/project/get', { projectId })
    const held = () => plain.peer.snapshot().find((project) => project.project_id === projectId)
    await expect
      .poll(async () => {
        const [there, here] = await Promise.all([projectAt(frontend), projectAt(backend)])
        return isDeepStrictEqual(there, here) && isDeepStrictEqual(asPlain(held()), asPlain(here))
      }, BOUND)
      .toBe(true)
    const ended = await projectAt(backend)
    expect(ended).toMatchObject({
      status: 'complete',
      repos: [
        { name: 'backend-api', assigned_agent: expect.stringMatching(/^aid:/) },
        { name: 'frontend-app', assigned_agent: expect.stringMatching(/^aid:/) },
      ],
      contracts: [{ status: 'verified', implementations: [{ status: 'complete' }, { status: 'complete' }] }],
    })
    expect(ended.context_history).toHaveLength(3)
  })

  test('ends verified with a reference as one of its agents, and all of three are equal', async () => {
    await using backend = await OpenDaemon.start('backend-api')
    await using mobile = await OpenDaemon.start('mobile-app')
    await using plain = await servePlainPeer({ repoName: 'frontend-app' })
    const agentId = defaultAgentId('frontend-app')
    for (const daemon of [backend, mobile]) await daemon.register(agentId, plain.url)
    await mobile.register(defaultAgentId('backend-api'), backend.url)

    const { projectId } = await playTwoAgentDemo(
      { url: backend.url, agentId: defaultAgentId('backend-api') },
      { url: plain.url, agentId, isHasty: true },
    )

    const projectAt = (daemon: OpenDaemon) => daemon.call('cacp/project/get', { projectId })
    const held = () => plain.peer.snapshot().find((project) => project.project_id === projectId)
    await expect
      .poll(async () => {
        const [there, here] = await Promise.all([projectAt(mobile), projectAt(backend)])
        return isDeepStrictEqual(there, here) && isDeepStrictEqual(asPlain(held()), asPlain(here))
      }, BOUND)
      .toBe(true)
    const ended = await projectAt(mobile)
    expect(ended.repos[1]).toMatchObject({ assigned_agent: agentId, agent_endpoint: plain.url })
    expect(ended.contracts).toMatchObject([{ status: 'verified' }])
    expect(ended.contracts[0].implementations).toHaveLength(2)
    expect(ended.context_history).toHaveLength(3)
  })
})
