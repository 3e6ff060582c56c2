import type { RunEvent } from '../../../protocol/run/event.ts'
import { type RunResult, RunSum } from '../../../protocol/run/fold.ts'
import type { CallFault, Outcome } from '../../call/fault.ts'
import { isOver, type Run } from './status.ts'

/** What is known of a run that is looked at. */
export interface FollowedRun {
  readonly run: Run
  readonly result: RunResult
}

interface News {
  readonly run: Run
  readonly events?: readonly unknown[] | undefined
}

interface Following {
  /** Asks for what comes after this event; waits for it. */
  ask(after: number): Promise<Outcome<News>>
  tell(known: FollowedRun): void
  failed(fault: CallFault): void
  /** Waits a while after a failure, and as long as nobody looks; false: it is looked at no more. */
  goOn(hasFailed: boolean): Promise<boolean>
}

/** Follows a run to its end, event by event. A failure is told, and it is tried again from where it was. */
export async function followRun({ ask, tell, failed, goOn }: Following): Promise<void> {
  const sum = new RunSum()
  for (let isFirst = true, hasFailed = false; isFirst || (await goOn(hasFailed)); isFirst = false) {
    const outcome = await ask(sum.result.last_sequence)
    hasFailed = !outcome.ok
    if (!outcome.ok) {
      failed(outcome.fault)
      continue
    }
    const { run, events = [] } = outcome.result
    for (const event of events) sum.add(event as RunEvent)
    tell({ run, result: { ...sum.result } })
    if (isOver(run.status) && sum.result.last_sequence >= run.last_sequence) return
  }
}
