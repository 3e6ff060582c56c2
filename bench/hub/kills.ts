import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { callOnce } from '../http-request.ts'
import { createProject, joinAs, proposeSmall } from '../material.ts'
import { until } from '../mesh.ts'
import type { RunningDaemon } from '../workshop.ts'
import { areEqual, countMissing, works } from './kept.ts'
import { onHub, startHub } from './server.ts'

const DAEMONS = 5
const KILLS = 10
const BETWEEN_MS = 1500
const LONGEST_MS = 300_000

/** A daemon that is killed and started again in the same folder. */
interface Killable {
  readonly name: string
  readonly folder: string
  running: RunningDaemon
}

/** Kills the server and daemons while every daemon is written to, and counts what was acknowledged and is gone. */
export async function hubKills({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  const kills = Math.ceil(KILLS / brevity)
  progress.begin(`${kills} kills of a hub and ${kills} of its daemons`)
  await using server = await startHub()
  const start = (name: string, folder: string) => workshop.daemon(folder, { name, env: onHub(server.url) })
  const daemons: Killable[] = []
  for (let n = 0; n < DAEMONS; n++) {
    const [name, folder] = [`kill-${n}`, workshop.folder()]
    daemons.push({ name, folder, running: await start(name, folder) })
  }
  const [first, ...others] = daemons as [Killable, ...Killable[]]
  const { projectId } = await callOnce<{ projectId: string }>(first.running, createProject(1))
  for (const { running, name } of [first, ...others])
    await until('a daemon has joined', () => works(callOnce(running, joinAs(projectId, name))), 50)

  const acknowledged = new Set<string>()
  const load = new AbortController()
  const loads = daemons.map((one, index) =>
    write(one, index, { projectId, acknowledged, signal: load.signal }),
  )
  for (let kill = 0; kill < kills; kill++) {
    progress.step(`kill ${kill + 1} of ${kills}`)
    await sleep(BETWEEN_MS)
    await server.stop('SIGKILL')
    const victim = daemons[kill % DAEMONS] ?? first
    await victim.running.stop('SIGKILL')
    await sleep(BETWEEN_MS / 3)
    await server.start()
    victim.running = await start(victim.name, victim.folder)
  }
  await sleep(BETWEEN_MS)
  load.abort()
  await Promise.all(loads)

  const stopped = performance.now()
  progress.step('waiting until all are equal')
  await until('all daemons are equal', () => areEqual(daemons.map(({ running }) => running)), 200, LONGEST_MS)
  const equalAfter = performance.now() - stopped
  let lost = 0
  for (const { running } of daemons) lost += await countMissing(running, projectId, acknowledged)
  await Promise.all(daemons.map(({ running }) => running.stop()))
  return [
    figure({
      name: `acknowledged writes that a daemon lacks after ${kills} kills of the hub and ${kills} of daemons`,
      unit: 'rows',
      ours: lost,
      comparedWith: { name: `acknowledged, on each of ${DAEMONS} daemons`, value: acknowledged.size },
      ratio: lost / acknowledged.size,
      goal: { of: 'ours', most: 0 },
      notes: [
        `SIGKILL of both under load; all equal ${(equalAfter / 1000).toFixed(1)} s after the last write`,
      ],
    }),
  ]
}

/** One write after the other; those that fail while it is down are forgotten. */
async function write(
  one: Killable,
  index: number,
  { projectId, acknowledged, signal }: { projectId: string; acknowledged: Set<string>; signal: AbortSignal },
): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    const call = proposeSmall(projectId, index * 1_000_000 + number)
    const answer = await callOnce<{ contractId: string }>(one.running, call).catch(() => undefined)
    if (answer === undefined) await sleep(20)
    else acknowledged.add(answer.contractId)
  }
}
