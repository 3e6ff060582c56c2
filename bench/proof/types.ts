import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { median } from '../rounds.ts'
import { OPERATIONS, withDocument } from './thousand-operations.ts'

/** What a build waits for that writes the types of a large project anew. */
export async function typesSpeed({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('types of a large project')
  const { daemon, run, agree } = await withDocument(workshop)
  run('contract', 'import', 'openapi.json')
  await agree()
  const times: number[] = []
  const bare: number[] = []
  const rounds = Math.ceil(5 / brevity)
  for (let round = 1; round <= rounds; round++) {
    progress.step(`round ${round} of ${rounds}`)
    const made = run('types', '--lang', 'ts')
    const count = made.out.match(/^\/\/ contract: /gm)?.length
    if (count !== OPERATIONS) throw new Error(`types of ${count} of ${OPERATIONS} contracts`)
    times.push(made.millis)
    bare.push(run('types', '--help').millis)
  }
  await daemon.stop()
  return [
    figure({
      name: `types of ${OPERATIONS} contracts`,
      unit: 'ms',
      ours: median(times),
      comparedWith: { name: 'help of the command', value: median(bare) },
      ratio: median(times) / median(bare),
      goal: { of: 'ours', most: 2000 },
      notes: ['whole processes, which ask the daemon for every contract; TypeScript'],
    }),
  ]
}
