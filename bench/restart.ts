import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import type { FillJob } from './fill.ts'
import { median } from './rounds.ts'
import type { Workshop } from './workshop.ts'

const CONTRACTS = 100_000
const GIB = 1024 ** 3

/** Design §9, row 5: from the start of the process until /health answers. */
export async function restart({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin(`restart with ${CONTRACTS} contracts`)
  const times = Math.ceil(5 / brevity)
  const big = (compactBytes: number): FillJob => ({
    directory: workshop.folder(),
    projects: 20,
    contracts: CONTRACTS,
    compactBytes,
  })
  const empty = await startTimes(workshop, workshop.folder(), times)

  progress.step('filling a store, to stop it in order')
  const clean = big(64 * 1024 ** 2)
  const { bytesEach } = await workshop.fill(clean)
  const afterStop = await startTimes(workshop, clean.directory, times)

  const afterKill: number[] = []
  for (let time = 0; time < times; time++) {
    progress.step(`filling a store, to kill its process (${time + 1} of ${times})`)
    // Nothing is in the snapshot, all has to be replayed: the most that a kill can leave behind.
    const killed = big(GIB)
    await workshop.fill(killed, 'SIGKILL')
    afterKill.push(...(await startTimes(workshop, killed.directory, 1)))
  }

  const against = (name: string, ours: readonly number[], note: string) =>
    figure({
      name,
      unit: 'ms',
      ours: median(ours),
      comparedWith: { name: 'with an empty store', value: median(empty) },
      ratio: median(ours) / median(empty),
      goal: { of: 'ours', most: 2000 },
      notes: [`${note}; ${bytesEach} bytes per statement; median of ${ours.length}, worst ${worst(ours)} ms`],
    })
  return [
    against(
      `restart with ${CONTRACTS} contracts after a clean stop`,
      afterStop,
      'from the start of the process until /health answers',
    ),
    against(
      `restart with ${CONTRACTS} contracts after SIGKILL`,
      afterKill,
      'every statement is replayed from the journal',
    ),
  ]
}

const worst = (times: readonly number[]) => Math.max(...times).toFixed(0)

async function startTimes(workshop: Workshop, directory: string, times: number): Promise<number[]> {
  const took: number[] = []
  for (let time = 0; time < times; time++) {
    const begin = performance.now()
    const daemon = await workshop.daemon(directory)
    const health = await fetch(`http://127.0.0.1:${daemon.port}/health`)
    const { status } = (await health.json()) as { status: string }
    if (status !== 'healthy') throw new Error(`The restarted daemon is ${status}`)
    took.push(performance.now() - begin)
    await daemon.stop()
  }
  return took
}
