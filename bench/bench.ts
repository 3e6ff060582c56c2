import type { ChildProcess } from 'node:child_process'
import type { Progress } from './progress.ts'
import type { Workshop } from './workshop.ts'

/** What every part of the suite works with. */
export interface Bench {
  workshop: Workshop
  generator: ChildProcess
  progress: Progress
  /** 1, or by how much everything is shortened. */
  brevity: number
  /** What was drawn, by the name of its file below docs/. */
  charts: Map<string, string>
}
