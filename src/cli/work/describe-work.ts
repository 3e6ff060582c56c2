import type { ResultOf } from '../../methods/table.ts'
import { spansText } from '../../protocol/chiffon/chunks.ts'
import { printable } from '../output/printable.ts'
import { render } from '../output/render.ts'
import type { Look } from '../output/table.ts'

type Shown = ResultOf<'cacp/work/get'>

/** Work that was sent, for people: a line for each thing there is to know. `--json` has all. */
export function describeWork(
  { work, result = null }: { work: Shown['work']; result?: Shown['result'] },
  look: Look,
): string {
  const { askedBy, lastHeartbeat, requestId, traceId, updates, step, error, ...others } = work
  const told = {
    ...others,
    progress: `${work.progress} %`,
    step: step === null || step.number === 0 ? null : `${step.number}. ${step.name}`,
    error: error === null ? null : `${error.message} (${error.code})`,
    exitCode: result?.exitCode ?? null,
    missing: result === null || result.missing.length === 0 ? null : `bytes ${spansText(result.missing)}`,
    output: result === null ? null : result.output.trimEnd(),
  }
  const known = Object.entries(told).filter(([, value]) => value !== null && value !== '')
  return render(Object.fromEntries(known), look)
}

/** What the agent answered, without the line end behind it, which is printed whether or not the agent wrote one. */
export const answerOf = ({ output }: NonNullable<Shown['result']>): string =>
  printable(output).replace(/\n$/, '')
