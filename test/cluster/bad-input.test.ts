import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemon.ts'
import { fakePeer } from '../support/fake-peer.ts'

/** What a peer of a broken or hostile mind sends, each time among good objects. */

interface Call {
  readonly method: string
  readonly params: object
}

interface Scene {
  readonly projectId: string
  /** As the daemon shows them. */
  readonly project: Shown
  readonly contract: Shown
  readonly packet: Shown
  readonly repo: Shown
}

// biome-ignore lint/suspicious/noExplicitAny: objects of the wire, bent at will
type Shown = any

async function setScene(backend: TestDaemon): Promise<Scene> {
  const { projectId } = await backend.rpc('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
  })
  const ids = { projectId, type: 'custom', name: 'Me', content: { v: 1 } }
  const { contractId } = await backend.rpc('cacp/contract/propose', ids)
  await backend.rpc('cacp/context/askQuestion', { projectId, question: 'why?' })
  const project = await backend.rpc('cacp/project/get', { projectId })
  return {
    projectId,
    project,
    contract: await backend.rpc('cacp/contract/get', { projectId, contractId, includeHistory: true }),
    packet: project.context_history[0],
    repo: project.repos[0],
  }
}

const goodPacket = ({ projectId, packet }: Scene, id: string): Call => ({
  method: 'cacp/context/sync',
  params: { projectId, packet: { ...packet, packet_id: id, content: { good: id } } },
})

const FAR = '9999-12-31T23:59:59Z'

/** Version 2 on top of what is here, with something wrong about it. */
function nextVersion({ projectId, contract }: Scene, wrong: object): Call {
  const { version, content, proposed_by, head } = contract
  const next = {
    ...contract,
    version: 2,
    content: { evil: true },
    history: [{ version, content, proposed_by, ...head }],
    head: { ...head, parent: head.revision },
  }
  return { method: 'cacp/contract/sync', params: { projectId, contract: { ...next, ...wrong } } }
}

const contractWith = (wrong: object) => (scene: Scene) => nextVersion(scene, wrong)
const packetWith =
  (wrong: object) =>
  ({ projectId, packet }: Scene): Call => ({
    method: 'cacp/context/sync',
    params: { projectId, packet: { ...packet, packet_id: 'evil', ...wrong } },
  })
const projectWith =
  (wrong: object) =>
  ({ project }: Scene): Call => ({
    method: 'cacp/project/sync',
    params: { project: { ...project, ...wrong } },
  })

const REFUSED: readonly [string, (scene: Scene) => Call][] = [
  [
    'a project of very many parts',
    ({ project }) => {
      const project_id = 'endless'
      const contracts = Array.from({ length: 40_001 }, () => ({}))
      return { method: 'cacp/project/sync', params: { project: { ...project, project_id, contracts } } }
    },
  ],
  ['a contract stamped in the year 9999', contractWith({ updated_at: FAR, head: undefined })],
  [
    'a status stamped in the year 9999',
    (scene) => {
      const { head } = scene.contract
      return nextVersion(scene, { head: { ...head, parent: head.revision, base_at: FAR } })
    },
  ],
  ['a packet stamped in the year 9999', packetWith({ timestamp: FAR })],
  ['a project stamped in the year 9999', projectWith({ updated_at: FAR, stamps: undefined, name: 'Evil' })],
  [
    'a claim stamped in the year 9999',
    ({ projectId, repo }) => ({
      method: 'cacp/repo/sync',
      params: { projectId, repo: { ...repo, claims: [{ ...repo.claims[0], claimed_at: FAR }] } },
    }),
  ],
  ['version 2^53', contractWith({ version: 2 ** 53 })],
  ['version 2^53 - 1', contractWith({ version: 2 ** 53 - 1 })],
  ['version 1e999', contractWith({ version: '@1e999' })],
  ['version "9"', contractWith({ version: '9' })],
  ['version 1.5', contractWith({ version: 1.5 })],
  ['version -1', contractWith({ version: -1 })],
  ['content that is 9,000 levels deep', packetWith({ content: '@deep' })],
  ['a contract id that is a path', contractWith({ contract_id: '../../operator.key' })],
  ['a packet id that is a path', packetWith({ packet_id: '..\\x' })],
  ['a project id that is a path', projectWith({ project_id: '/etc/passwd' })],
  ['an id that is a prototype', packetWith({ packet_id: '__proto__' })],
  [
    'an unknown project',
    ({ packet }) => ({
      method: 'cacp/context/sync',
      params: { projectId: 'nowhere', packet },
    }),
  ],
]

const CONTAINED: readonly [string, object, (scene: Scene) => Call][] = [
  [
    'a newer project with empty lists',
    { status: 'skipped', refused: [{ kind: 'project' }] },
    ({ project }) => ({
      method: 'cacp/project/sync',
      params: {
        project: {
          project_id: project.project_id,
          name: 'Emptied',
          objective: '',
          created_at: project.created_at,
          updated_at: new Date(Date.now() + 60_000).toISOString(),
          repos: [],
          contracts: [],
          context_history: [],
        },
      },
    }),
  ],
  [
    'a packet id used again',
    { status: 'updated' },
    ({ projectId, packet }) => ({
      method: 'cacp/context/sync',
      params: { projectId, packet: { ...packet, content: { question: 'another one' } } },
    }),
  ],
  [
    'a claim dated 1970',
    { status: 'updated' },
    ({ projectId, repo }) => ({
      method: 'cacp/repo/sync',
      params: {
        projectId,
        repo: {
          ...repo,
          claims: [
            {
              agent_id: 'aid://example.com/evil@1.0.0',
              claimed_at: '1970-01-01T00:00:00Z',
              released_at: null,
              agent_endpoint: null,
              endpoint_at: '1970-01-01T00:00:00Z',
            },
          ],
        },
      },
    }),
  ],
]

/** As JSON text, with what JavaScript cannot hold or write. */
const textOf = (value: unknown): string =>
  JSON.stringify(value).replaceAll('"@1e999"', '1e999').replaceAll('"@deep"', DEEP)

const DEEP = `${'{"in":'.repeat(9000)}{}${'}'.repeat(9000)}`

/** Everything is as it was, and the next change of the daemon's own agent wins. */
async function expectUnharmed(backend: TestDaemon, scene: Scene): Promise<void> {
  const { projectId, contract, packet } = scene
  const ids = { projectId, contractId: contract.contract_id }
  const project = await backend.rpc('cacp/project/get', { projectId })
  expect(project.repos).toHaveLength(2)
  expect(project.repos[0].agent_id).toBe('aid://example.com/backend@1.0.0')
  expect(project.contracts).toMatchObject([{ contract_id: ids.contractId, version: 1, content: { v: 1 } }])
  const questions = project.context_history
    .filter((one: Shown) => one.packet_id === packet.packet_id)
    .flatMap((one: Shown) => [one, ...(one.others ?? [])])
  expect(questions.map((one: Shown) => one.content)).toContainEqual(packet.content)
  expect(await backend.rpc('cacp/contract/update', { ...ids, content: { v: 2 } })).toMatchObject({
    version: 2,
  })
  expect(await backend.rpc('cacp/contract/get', ids)).toMatchObject({ content: { v: 2 }, conflicts: [] })
  const { methods } = (await backend.fetch('/methods')).json
  expect(methods).not.toEqual([])
}

describe('a batch of a peer', () => {
  async function send(backend: TestDaemon, calls: readonly Call[]): Promise<Shown[]> {
    await using peer = await fakePeer()
    await backend.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(peer.registration),
    })
    const batch = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
    const { json } = await backend.post(textOf(batch), { authorization: '', 'x-agent-id': peer.agentId })
    await backend.rpc('cacp/peer/remove', { agentId: peer.agentId })
    return json.map(({ result, error }: Shown) => result ?? { status: 'error', reason: error.message })
  }

  test.each(REFUSED)('with %s: that is refused, and the rest is taken', async (_what, make) => {
    await using backend = await daemon({ open: true })
    const scene = await setScene(backend)
    const outcomes = await send(backend, [goodPacket(scene, 'g1'), make(scene), goodPacket(scene, 'g2')])
    expect(outcomes).toMatchObject([
      { status: 'created' },
      { status: 'error', reason: expect.any(String) },
      { status: 'created' },
    ])
    const { packets } = await backend.rpc('cacp/context/list', { projectId: scene.projectId })
    expect(packets.map((one: Shown) => one.packet_id).sort()).toEqual(
      [scene.packet.packet_id, 'g1', 'g2'].sort(),
    )
    await expectUnharmed(backend, scene)
  })

  test.each(CONTAINED)('with %s: nothing vanishes', async (_what, outcome, make) => {
    await using backend = await daemon({ open: true })
    const scene = await setScene(backend)
    const outcomes = await send(backend, [goodPacket(scene, 'g1'), make(scene), goodPacket(scene, 'g2')])
    expect(outcomes).toMatchObject([{ status: 'created' }, outcome, { status: 'created' }])
    await expectUnharmed(backend, scene)
  })
})

describe('a peer that is asked for what it has', () => {
  test('cannot bring in by that way what it could not send', async () => {
    await using backend = await daemon({ open: true })
    const scene = await setScene(backend)
    const { projectId } = scene
    const good = [goodPacket(scene, 'g1'), goodPacket(scene, 'g2')]
    const calls = [good[0], ...REFUSED.map(([, make]) => make(scene)), good[1]]
    await using peer = await fakePeer({
      write: textOf,
      results: {
        'cacp/sync/digest': () => ({ projects: [{ projectId, digest: 'other', count: calls.length }] }),
        'cacp/sync/buckets': ({ count }) => ({ digests: Array.from({ length: count }, () => 'other') }),
        'cacp/sync/keys': () => ({ keys: calls.map((_, index) => ['packet', `k${index}`, 'other']) }),
        'cacp/sync/fetch': ({ keys }) => ({ calls: keys.length === calls.length ? calls : [] }),
      },
    })
    await backend.rpc('cacp/peer/add', { url: peer.url })
    const ids = async () =>
      (await backend.rpc('cacp/context/list', { projectId })).packets
        .map((one: Shown) => one.packet_id)
        .sort()
    await expect.poll(ids).toEqual([scene.packet.packet_id, 'g1', 'g2'].sort())
    expect((await backend.rpc('cacp/project/list')).projects).toHaveLength(1)
    await expectUnharmed(backend, scene)
    expect((await backend.fetch('/peers')).json.peers).toMatchObject([{ health: 'healthy' }])
  })

  test('brings in no more than it was asked for', async () => {
    await using backend = await daemon({ open: true })
    const scene = await setScene(backend)
    const { projectId } = scene
    await using peer = await fakePeer({
      results: {
        'cacp/sync/digest': () => ({ projects: [{ projectId, digest: 'other', count: 1 }] }),
        'cacp/sync/buckets': () => ({ digests: ['other'] }),
        'cacp/sync/keys': () => ({ keys: [['packet', 'asked', 'other']] }),
        'cacp/sync/fetch': () => ({ calls: [goodPacket(scene, 'asked'), goodPacket(scene, 'unasked')] }),
      },
    })
    await backend.rpc('cacp/peer/add', { url: peer.url })
    const fetches = () => peer.calls.filter((name) => name === 'cacp/sync/fetch').length
    await expect.poll(fetches).toBe(1)
    // Comparing begins again only when it has ended.
    await backend.rpc('cacp/peer/sync', {})
    await expect.poll(fetches).toBe(2)
    const { packets } = await backend.rpc('cacp/context/list', { projectId })
    expect(packets.map((one: Shown) => one.packet_id).sort()).toEqual(
      [scene.packet.packet_id, 'asked'].sort(),
    )
  })
})
