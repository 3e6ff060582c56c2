import type { Change, Decision } from '../../src/domain/change.ts'
import type { Revision } from '../../src/domain/model.ts'
import type { Store } from '../../src/engine/ports.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { type Decider, type PlantedBug, replacing, withView } from './planting.ts'

type Locals = NonNullable<Decision<unknown>['local']>

/** Takes the answers to calls with a key out of what is committed; what is to become of them, `later` says. */
const partingAnswers =
  (later: (store: Store, answers: Locals) => void) =>
  (store: Store): Store => ({
    ...withView(store, {}),
    commit: async (decide) => {
      let answers: Locals = []
      const result = await store.commit((view) => {
        const decision = decide(view)
        answers = decision.local?.filter(({ table }) => table === 'answer') ?? []
        return { ...decision, local: decision.local?.filter(({ table }) => table !== 'answer') ?? [] }
      })
      if (answers.length > 0) later(store, answers)
      return result
    },
  })

const withoutResolves = (change: Change): Change => {
  if (change.kind !== 'contract') return change
  const revisions = change.value.revisions.map((one: Revision) => ({ ...one, resolves: [] }))
  return { ...change, value: { ...change.value, revisions } }
}

/** Mistakes in what an agent's own calls do. */
export const PLANTED_CALL_BUGS: Record<string, PlantedBug> = {
  'what a settlement settles is not written down': {
    mode: 'both',
    sabotage: () => ({
      methods: replacing({
        'cacp/contract/resolve': (row) => ({
          ...row,
          decide: (view, params, env) => {
            const decision = row.decide(view, params, env)
            return { ...decision, changes: decision.changes?.map(withoutResolves) ?? [] }
          },
        }),
      }),
    }),
  },

  'a peer is not told what a settlement settles': {
    mode: 'both',
    sabotage: () => ({
      methods: replacing({
        'cacp/contract/sync': (row: Decider) => ({
          ...row,
          decide: (view, params, env) => {
            const contract = params['contract'] as JsonObject
            const history = contract['history']
            const forgetful = {
              ...contract,
              resolves: [],
              history: Array.isArray(history)
                ? history.map((one) => ({ ...(one as JsonObject), resolves: [] }))
                : [],
            }
            return row.decide(view, { ...params, contract: forgetful as never }, env)
          },
        }),
      }),
    }),
  },

  'the answer to a call with a key is not kept': {
    mode: 'both',
    sabotage: () => ({ store: partingAnswers(() => {}) }),
  },

  'the answer to a call with a key is written after its effect': {
    mode: 'both',
    sabotage: () => ({
      store: partingAnswers((store, local) => {
        store.commit(() => ({ result: undefined, local })).catch(() => {})
      }),
    }),
  },
}
