import { cpSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { digestOfAll, getProject, syncPeers, updateSmall } from './material.ts'
import { hasToldAll, holdsAllOf, introduce, until } from './mesh.ts'
import { Wire } from './wire.ts'
import type { Running } from './workshop.ts'

const PROJECTS = 20
const CONTRACTS = 10_000
const CHANGED = 100

/** Nobody compares on his own while we count. */
const NEVER = { CACP_PEER_REPAIR_SECONDS: '86400' }

const NOWHERE = 'http://127.0.0.1:9'

/**
 * What a comparison by digests costs when 1 % differs. The cursors must not know of the difference: after the
 * changes were pushed and acknowledged, the receiver is put back to a copy of its data from before, and the
 * sender, whose connection goes through us, does not notice that it talks to the past. The receiver knows the
 * sender under an address where nobody listens: it would say that it is back, and one comparison is enough.
 */
export async function repair({ workshop, progress }: Bench): Promise<Figure[]> {
  progress.begin(`repair of a ${(100 * CHANGED) / CONTRACTS} % difference`)
  const directory = workshop.folder()
  const { projectIds, statements } = await workshop.fill({
    directory,
    projects: PROJECTS,
    contracts: CONTRACTS,
  })
  const a = await workshop.daemon(directory, { open: true, env: NEVER })
  const present = workshop.folder()
  const past = workshop.folder()
  const asB = { name: 'repair-b', open: true, env: NEVER }
  const b = await workshop.daemon(present, asB)
  using wire = await Wire.to(b.port)

  progress.step('sending all')
  await introduce(b, a, NOWHERE)
  await introduce(a, b, wire.url)
  await until('the peer holds all', async () => (await holdsAllOf(b, a)) && (await hasToldAll(a)), 50)
  await settled(wire)
  const all = wire.bytes

  await b.stop()
  cpSync(present, past, { recursive: true })
  const again = await workshop.daemon(present, asB)
  wire.turnTo(again.port)
  progress.step(`changing ${CHANGED}`)
  for (const [projectId, contractId] of await someContracts(a, projectIds))
    await callOnce(a, updateSmall(projectId, contractId))
  await until('the changes arrived', () => areEqual(a, again), 50)
  await until('and were acknowledged', () => hasToldAll(a), 50)
  await again.stop()
  const restored = await workshop.daemon(past, asB)
  wire.turnTo(restored.port)
  if (await areEqual(a, restored)) throw new Error('The copy should be of before the changes')

  progress.step('repairing')
  wire.bytes = 0
  const begin = performance.now()
  await callOnce(a, syncPeers())
  await until('both are equal', () => areEqual(a, restored), 20)
  const took = performance.now() - begin
  await settled(wire)
  const repaired = wire.bytes
  await Promise.all([a.stop(), restored.stop()])
  rmSync(past, { recursive: true, force: true })

  return [
    figure({
      name: `repair of ${CHANGED} changes among ${CONTRACTS} contracts ÷ sending all`,
      unit: 'bytes',
      ours: repaired,
      comparedWith: { name: 'all, as a new peer gets it', value: all },
      ratio: repaired / all,
      goal: null,
      notes: [
        `TCP payload both ways through a proxy, with HTTP heads; ${(repaired / CHANGED).toFixed(0)} bytes per ` +
          `difference, ${(all / statements).toFixed(0)} per statement when all is sent; took ${took.toFixed(0)} ms; the ` +
          'receiver was put back to a copy from before the changes and the sender believed it up to date until ' +
          'they were compared',
      ],
    }),
  ]
}

async function someContracts(a: Running, projectIds: readonly string[]): Promise<[string, string][]> {
  const found: [string, string][] = []
  for (const projectId of projectIds) {
    const { contracts } = await callOnce<{ contracts: { contract_id: string }[] }>(a, getProject(projectId))
    const step = Math.floor(contracts.length / (CHANGED / projectIds.length))
    for (let n = 0; n < CHANGED / projectIds.length; n++)
      found.push([projectId, contracts[n * step]?.contract_id ?? ''])
  }
  return found
}

async function areEqual(one: Running, other: Running): Promise<boolean> {
  const [mine, theirs] = await Promise.all(
    [one, other].map(async (daemon) => {
      const { projects } = await callOnce<{ projects: { projectId: string; digest: string }[] }>(
        daemon,
        digestOfAll(),
      )
      return projects
        .map(({ projectId, digest }) => `${projectId} ${digest}`)
        .sort()
        .join()
    }),
  )
  return mine === theirs
}

/** Until nothing passes any more. */
async function settled(wire: Wire): Promise<void> {
  for (let before = -1; before !== wire.bytes; ) {
    before = wire.bytes
    await sleep(1500)
  }
}
