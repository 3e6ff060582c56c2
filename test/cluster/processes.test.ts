import { describe, expect, test } from 'vitest'
import { equalState, eventually, Member } from './member.ts'

const WRITES = 500

interface Written {
  projects: string[]
  contracts: Map<string, number>
  packets: string[]
}

/** Writes of every kind, each one answered before the next: what was answered is noted. */
async function writeMuch(member: Member, writes: number): Promise<Written> {
  const written: Written = { projects: [], contracts: new Map(), packets: [] }
  let projectId = ''
  let contractId = ''
  const kinds = [
    async () => {
      const repos = [{ name: member.repo }, { name: 'other' }]
      projectId = (await member.call('cacp/project/create', { name: 'p', objective: 'o', repos })).projectId
      written.projects.push(projectId)
    },
    async () => {
      const contract = { projectId, type: 'custom', name: 'c', content: { text: 'x'.repeat(200) } }
      contractId = (await member.call('cacp/contract/propose', contract)).contractId
      written.contracts.set(contractId, 1)
    },
    async () => {
      const update = { projectId, contractId, content: { changed: true } }
      written.contracts.set(contractId, (await member.call('cacp/contract/update', update)).version)
    },
    async () => {
      const question = { projectId, question: 'why?', relatedContracts: [contractId] }
      written.packets.push((await member.call('cacp/context/askQuestion', question)).packetId)
    },
    async () => {
      const file = { name: 'a.txt', content: 'aGVsbG8=' }
      written.packets.push((await member.call('cacp/file/share', { projectId, file })).packetId)
    },
  ]
  for (let n = 0; n < writes; n++) await kinds[n % kinds.length]?.()
  return written
}

interface Shown {
  project_id: string
  contracts: { contract_id: string; version: number }[]
  context_history: { packet_id: string }[]
}

function missingFrom(state: readonly unknown[], { projects, contracts, packets }: Written): string[] {
  const shown = state as readonly Shown[]
  const versions = new Map(
    shown.flatMap((one) => one.contracts.map(({ contract_id, version }) => [contract_id, version])),
  )
  const ids = new Set(
    shown.flatMap((one) => [one.project_id, ...one.context_history.map(({ packet_id }) => packet_id)]),
  )
  return [
    ...[...projects, ...packets].filter((id) => !ids.has(id)),
    ...[...contracts].filter(([id, version]) => versions.get(id) !== version).map(([id]) => id),
  ]
}

describe('daemons as processes', () => {
  test(`three are equal after ${WRITES} writes that one slept through and that killed the writer`, async () => {
    await using a = await Member.start('a')
    await using b = await Member.start('b')
    await using c = await Member.start('c')
    await a.connect(b)
    await a.connect(c)
    await b.connect(c)
    const { projectId } = await b.call('cacp/project/create', { name: 'before', objective: 'o' })
    await equalState([a, b, c])

    await c.stop('SIGTERM')
    const written = await writeMuch(a, WRITES)
    const { peers } = await a.call('cacp/peer/list')
    expect(peers).toMatchObject([{ repoName: b.repo }, { repoName: c.repo, isHealthy: false }])
    expect(peers[1].behind).toBeGreaterThanOrEqual(written.packets.length)
    await a.stop('SIGKILL')
    await Promise.all([a.startAgain(), c.startAgain()])

    const state = await equalState([a, b, c])
    expect(state).toHaveLength(written.projects.length + 1)
    expect(missingFrom(state, { ...written, projects: [projectId, ...written.projects] })).toEqual([])
    await eventually(async () => {
      const { peers } = await a.call('cacp/peer/list')
      return peers.map(({ behind, health }: { behind: number; health: string }) => ({ behind, health }))
    }).toEqual([
      { behind: 0, health: 'healthy' },
      { behind: 0, health: 'healthy' },
    ])
  }, 120_000)

  test('a line without a link between its ends converges, in both directions', async () => {
    await using a = await Member.start('a')
    await using b = await Member.start('b')
    await using c = await Member.start('c')
    await a.connect(b)
    await b.connect(c)
    const fromA = await writeMuch(a, 20)
    const fromC = await writeMuch(c, 20)
    await eventually(() => a.state()).toHaveLength(fromA.projects.length + fromC.projects.length)
    const state = await equalState([a, b, c])
    expect([...missingFrom(state, fromA), ...missingFrom(state, fromC)]).toEqual([])
    expect((await a.call('cacp/peer/list')).peers).toHaveLength(1)
    expect((await c.call('cacp/peer/list')).peers).toHaveLength(1)
  }, 120_000)

  test('a daemon that is only down for a moment gets what happened meanwhile at once', async () => {
    await using a = await Member.start('a')
    await using b = await Member.start('b')
    await a.connect(b)
    await b.stop('SIGKILL')
    const { projectId } = await a.call('cacp/project/create', { name: 'meanwhile', objective: 'o' })
    await b.startAgain()
    await eventually(() => b.call('cacp/project/get', { projectId })).toMatchObject({ name: 'meanwhile' })
  }, 120_000)
})
