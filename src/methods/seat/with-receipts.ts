import { isLocalAgent, type Named, shownOf } from '../../domain/delivery/receipt.ts'
import type { ServedCall } from '../row.ts'

/** Serves a result and reports which contracts and packets it contains, for receipts. */
export const withReceipts = <Result>(
  { view, env, show }: ServedCall,
  answer: Promise<Result>,
  namesIn: (result: Result) => readonly Named[],
): Promise<Result> =>
  answer.then((result) => {
    if (show !== undefined && isLocalAgent(env.caller))
      for (const shown of shownOf(view, namesIn(result))) show(shown)
    return result
  })
