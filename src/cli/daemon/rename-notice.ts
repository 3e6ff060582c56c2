import type { Renamed } from '../../config/config.ts'
import { printableLine } from '../output/printable.ts'

/** What it means that a repository has a new name, and what there is to do about it. */
export function renameNotice({ from, overruled }: Renamed): string {
  const lines = [
    `renamed from ${from}: agent ID, pairings and the repos that it holds in projects stay as they are`,
    `Peers go on knowing it as ${from}, which they let in, and show the new name beside it; projects that are created from now on have the new name`,
    ...(overruled === undefined
      ? []
      : [`${overruled} still says another name, and the next start takes that: correct it there too`]),
  ]
  return lines.map((line) => `  ${printableLine(line)}`).join('\n')
}
