import type { ResultOf } from '../../../methods/table.ts'
import { lasting } from '../../text/figures.ts'
import type { Said } from '../../text/words.ts'

export type Run = ResultOf<'cacp/run/list'>['runs'][number]
export type Work = ResultOf<'cacp/work/list'>['works'][number]

/** The words and colours of how far a run or work is. Waiting is another thing than working. */
export const RUN_WORDS: Readonly<Record<Run['status'] | Work['status'], Said>> = {
  created: { word: 'waiting', icon: 'clock', tone: 'calm' },
  sending: { word: 'sending', icon: 'arrow', tone: 'busy' },
  in_progress: { word: 'working', icon: 'runs', tone: 'busy' },
  running: { word: 'working', icon: 'runs', tone: 'busy' },
  completed: { word: 'completed', icon: 'check', tone: 'good' },
  failed: { word: 'failed', icon: 'warning', tone: 'bad' },
  canceled: { word: 'canceled', icon: 'cross', tone: 'calm' },
}

/** Whether nothing more will come of it. */
export const isOver = (status: Run['status'] | Work['status']): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled'

/** How long it took, or has taken so far: `0.4 s`, `12 s`, `3 min`. */
export function tookOf(from: string, to: string | null, now: number): string {
  const millis = Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from))
  return millis < 10_000 && to !== null ? `${(millis / 1000).toFixed(1)} s` : lasting(millis / 1000)
}

/** What each dialect is called by its document. */
export const DIALECT_NAMES: Readonly<Record<Run['dialect'], string>> = {
  coreason: 'Coreason',
  cap: 'Coreason CAP',
  chiffon: 'Chiffon',
  'agent-api': 'Agent API',
  a2a: 'A2A',
}
