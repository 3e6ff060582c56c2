import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { answerOf } from './workshop.ts'

const CONTRACTS = 100_000
const BYTES_EACH = 1024

/** What a statement takes in memory. */
export interface Weight {
  /** When the store has been opened, and when everything in it has been looked at. */
  opened: number
  lookedAt: number
  statements: number
}

export async function memory({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  const contracts = Math.ceil(CONTRACTS / brevity)
  progress.begin(`memory of ${contracts} contracts`)
  const directory = workshop.folder()
  const { bytesEach } = await workshop.fill({ directory, projects: 20, contracts, bytesEach: BYTES_EACH })
  const scale = workshop.fork('weigh.ts', directory)
  const { opened, lookedAt, statements } = await answerOf<Weight>(scale, 'weigh.ts')
  scale.kill()
  return [
    figure({
      name: `memory of a statement of ${BYTES_EACH} bytes`,
      unit: 'bytes',
      ours: opened / statements,
      comparedWith: { name: 'on disk', value: bytesEach },
      ratio: opened / statements / bytesEach,
      goal: { of: 'ours', most: 3072 },
      notes: [
        `heap of a process that holds ${statements} of them, after it was cleared of garbage; ` +
          `${(lookedAt / statements).toFixed(0)} bytes each when every contract has been looked at`,
      ],
    }),
  ]
}
