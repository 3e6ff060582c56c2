import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { median } from './rounds.ts'
import { LAUNCHER, wholeProcess } from './whole-process.ts'

/** What somebody waits for who only wants to know what there is. */
export async function startUp({ progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('start of the command line')
  const help: number[] = []
  const bare: number[] = []
  const rounds = Math.ceil(20 / brevity)
  for (let round = 1; round <= rounds; round++) {
    progress.step(`round ${round} of ${rounds}`)
    bare.push(wholeProcess(['-e', '0']).millis)
    const { out, millis } = wholeProcess([LAUNCHER, '--help'])
    if (!out.includes('Usage: cacpd')) throw new Error('There is no help; is it built?')
    help.push(millis)
  }
  return [
    figure({
      name: 'cacpd --help beyond bare node',
      unit: 'ms',
      ours: median(help) - median(bare),
      comparedWith: { name: 'node -e 0', value: median(bare) },
      ratio: median(help) / median(bare),
      goal: { of: 'ours', most: 150 },
      notes: [`a whole process takes ${median(help).toFixed(0)} ms; medians of ${rounds}`],
    }),
  ]
}
