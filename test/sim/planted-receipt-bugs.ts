import { admitReceipt } from '../../src/domain/admit.ts'
import { receiptChange } from '../../src/domain/change.ts'
import { isEqual } from '../../src/domain/join.ts'
import { type Answer, type Call, type Decider, onBatch, type PlantedBug, replacing } from './planting.ts'

const isReceipt = ({ method }: Call): boolean => method === 'cacp/receipt/sync'

/** What arrives takes the place of what is there, whoever has seen more. */
const overwriting = (row: Decider): Decider => ({
  ...row,
  decide: (view, params, env) => {
    const decision = row.decide(view, params, env)
    const incoming = admitReceipt(params['receipt'], env.now)
    const projectId = params['projectId'] as string
    const local = view.projects.get(projectId)?.receipts.get(incoming.repo_id)
    if (local === undefined || isEqual(local, incoming)) return decision
    return { ...decision, changes: [receiptChange(projectId, incoming)] }
  },
})

/** Says that the peer took them, and sends the rest. */
const keepingReceipts = onBatch(async (calls, send) => {
  const rest = calls.filter((call) => !isReceipt(call))
  const kept = calls.filter(isReceipt).map(({ id }): Answer => ({ id, result: { status: 'created' } }))
  return [...kept, ...(rest.length === 0 ? [] : await send(rest))]
})

/** Mistakes that one could make with what agents were shown. */
export const PLANTED_RECEIPT_BUGS: Readonly<Record<string, PlantedBug>> = {
  'a receipt takes the place of the one that is here': {
    mode: 'both',
    sabotage: () => ({ methods: replacing({ 'cacp/receipt/sync': overwriting }) }),
  },

  'receipts are kept from the peers': { mode: 'push', sabotage: () => ({ client: keepingReceipts }) },
}
