import { printableLine } from './printable.ts'

const BAR = 20

interface Progress {
  readonly status: string
  readonly progress: number
  readonly step: { readonly number: number; readonly name: string } | null
}

/** One line that says how far some work is, as wide as the last one, so that it can be written over it. */
export function progressLine({ status, progress, step }: Progress, width: number): string {
  const filled = Math.round((progress / 100) * BAR)
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}]`
  const at = step === null || step.number === 0 ? status : `${step.number}. ${printableLine(step.name)}`
  const most = Math.max(Math.min(width - 1, 100), 1)
  return `${bar} ${String(progress).padStart(3)} %  ${at}`.slice(0, most).padEnd(most)
}
