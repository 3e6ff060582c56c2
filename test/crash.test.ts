import { watch } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { afterEach, expect, test, vi } from 'vitest'
import { type DaemonProcess, startProcess } from './support/daemons/process.ts'

/** What a store holds is read at each start, and each compaction doubles what the next one needs: so none is killed often. */
const SERIES = { underLoad: { stores: 5, kills: 5 }, duringCompactions: { stores: 9, kills: 3 } }
const WRITERS = 32
const FLAGS = ['--port', '0', '--log-level', 'warn', '--repo', 'backend-api']

interface Acknowledged {
  projects: string[]
  contracts: { projectId: string; contractId: string; version: number }[]
}

afterEach(() => {
  vi.unstubAllEnvs()
})

const { underLoad, duringCompactions } = SERIES

test(`a daemon killed ${underLoad.stores * underLoad.kills} times under ${WRITERS} writers loses no acknowledged write and applies none by half`, async () => {
  for (let store = 0; store < underLoad.stores; store++)
    await killAgainAndAgain(underLoad.kills, (kill) => ({
      answers: WRITERS + (((store * underLoad.kills + kill) * 37) % 200),
    }))
}, 480_000)

test(`nor when it is killed ${duringCompactions.stores * duringCompactions.kills} times while it compacts`, async () => {
  vi.stubEnv('CACP_COMPACT_BYTES', '65536')
  let interrupted = 0
  for (let store = 0; store < duringCompactions.stores; store++)
    interrupted += await killAgainAndAgain(duringCompactions.kills, (kill) => ({
      answers: 20_000,
      // So that few writes lead to a compaction.
      characters: 4000,
      millisIntoCompaction: (store + kill) % 4,
    }))
  expect(interrupted).toBeGreaterThan(5)
}, 480_000)

/** When a round ends: after so many answers, or before that so long after a compaction began. */
interface Moment {
  answers: number
  /** Of each contract that is written until then. */
  characters?: number
  millisIntoCompaction?: number
}

/** Answers how many kills interrupted a compaction. */
async function killAgainAndAgain(kills: number, momentOf: (kill: number) => Moment): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'cacpd-crash-'))
  const dataDir = join(folder, '.cacp')
  const acknowledged: Acknowledged = { projects: [], contracts: [] }
  let interrupted = 0
  let daemon = await startProcess(dataDir, FLAGS)
  try {
    for (let kill = 0; kill < kills; kill++) {
      const before = { projects: acknowledged.projects.length, contracts: acknowledged.contracts.length }
      await killUnderLoad(daemon, acknowledged, { dataDir, ...momentOf(kill) })
      if (await isCompacting(dataDir)) interrupted++
      daemon = await startProcess(dataDir, FLAGS)
      const sinceThen = {
        projects: acknowledged.projects.slice(before.projects),
        contracts: acknowledged.contracts.slice(before.contracts),
      }
      expect(await missingFrom(daemon, sinceThen)).toEqual([])
    }
    expect(acknowledged.projects.length).toBeGreaterThan(kills)
    expect(acknowledged.contracts.length).toBeGreaterThan(kills * 10)
    expect(await missingFrom(daemon, acknowledged)).toEqual([])
    expect(await halfAppliedProjects(daemon)).toEqual([])
    return interrupted
  } finally {
    await daemon.stop('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

/** From the beginning of a new journal until the snapshot has replaced the old one. */
async function isCompacting(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir)
  return names.includes('state.json.tmp') || names.filter((name) => /^journal\.\d+$/.test(name)).length > 1
}

/** Lets 32 writers loose and kills the daemon at that moment; only what was answered is noted. */
async function killUnderLoad(
  daemon: DaemonProcess,
  acknowledged: Acknowledged,
  { dataDir, answers, characters = 200, millisIntoCompaction }: Moment & { dataDir: string },
): Promise<void> {
  const pool = new Pool(daemon.url, { connections: WRITERS })
  let isKilled = false
  let enough = () => {}
  let left = answers
  const answered = new Promise<void>((resolve) => {
    enough = resolve
  })
  const note = () => {
    if (--left === 0) enough()
  }
  const watcher = watch(dataDir, (_event, name) => {
    if (name === 'state.json.tmp' && millisIntoCompaction !== undefined)
      setTimeout(enough, millisIntoCompaction)
  })
  const writers = Array.from({ length: WRITERS }, async () => {
    try {
      const { projectId } = await call(pool, daemon.key, 'cacp/project/create', {
        name: 'p',
        objective: 'o',
        repos: [{ name: 'backend-api' }, { name: 'b' }, { name: 'c' }],
      })
      acknowledged.projects.push(projectId)
      note()
      while (!isKilled) {
        const content = { text: 'x'.repeat(characters) }
        const { contractId } = await call(pool, daemon.key, 'cacp/contract/propose', {
          projectId,
          type: 'custom',
          name: 'c',
          content,
        })
        const noted = { projectId, contractId, version: 1 }
        acknowledged.contracts.push(noted)
        note()
        const { version } = await call(pool, daemon.key, 'cacp/contract/update', {
          projectId,
          contractId,
          content: { text: 'y' },
        })
        noted.version = version
        note()
      }
    } catch (error) {
      if (!isKilled) throw error
    }
  })
  await Promise.race([answered, Promise.all(writers)])
  isKilled = true
  watcher.close()
  await daemon.stop('SIGKILL')
  await Promise.all(writers)
  await pool.destroy()
}

async function missingFrom(daemon: DaemonProcess, { projects, contracts }: Acknowledged): Promise<unknown[]> {
  const held = new Map<string, number>()
  const owners = new Set([...projects, ...contracts.map((one) => one.projectId)])
  const pool = new Pool(daemon.url, { connections: 4 })
  const found = new Set<string>()
  for (const projectId of owners) {
    const project = await call(pool, daemon.key, 'cacp/project/get', { projectId })
    found.add(projectId)
    for (const contract of project.contracts) held.set(contract.contract_id, contract.version)
  }
  await pool.close()
  return [
    ...projects.filter((id) => !found.has(id)),
    ...contracts.filter(({ contractId, version }) => (held.get(contractId) ?? 0) < version),
  ]
}

/** A project and its three repos are one commit: all of it is there, or nothing. */
async function halfAppliedProjects(daemon: DaemonProcess): Promise<string[]> {
  const pool = new Pool(daemon.url, { connections: 1 })
  const half: string[] = []
  let cursor: string | undefined
  do {
    const page = await call(pool, daemon.key, 'cacp/project/list', { cursor })
    half.push(
      ...page.projects
        .filter((one: { repoCount: number }) => one.repoCount !== 3)
        .map((one: { projectId: string }) => one.projectId),
    )
    cursor = page.nextCursor
  } while (cursor !== undefined)
  await pool.close()
  return half
}

// biome-ignore lint/suspicious/noExplicitAny: results of several methods
async function call(pool: Pool, key: string, method: string, params: object): Promise<any> {
  const { body } = await pool.request({
    path: '/',
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await body.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}
