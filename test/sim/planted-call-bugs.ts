import type { LocalChange } from '../../src/domain/change.ts'
import type { Store } from '../../src/engine/ports/ports.ts'
import { type Decider, type PlantedBug, replacing, saying, withView } from './planting.ts'

/** Takes the answers to calls with a key out of what is committed; what is to become of them, `later` says. */
const partingAnswers =
  (later: (store: Store, answers: readonly LocalChange[]) => void) =>
  (store: Store): Store => ({
    ...withView(store, {}),
    commit: async (decide) => {
      let answersTo: ((result: unknown) => readonly LocalChange[]) | undefined
      const result = await store.commit((view) => {
        const { keep, ...decision } = decide(view)
        answersTo = keep
        return decision as ReturnType<typeof decide>
      })
      if (answersTo !== undefined) later(store, answersTo(result))
      return result
    },
  })

/** Mistakes in what an agent's own calls do. */
export const PLANTED_CALL_BUGS: Record<string, PlantedBug> = {
  'what a settlement of conflicts settles is not written down': {
    mode: 'both',
    firstSeed: 3,
    sabotage: () => ({
      methods: replacing({
        'cacp/contract/resolve': (row: Decider) => ({
          ...row,
          decide: (view, params, env) => {
            const decision = row.decide(view, params, env)
            return {
              ...decision,
              says: decision.says?.map((one) => saying(one, { ...one.body, resolves: [] })) ?? [],
            }
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
    firstSeed: 12,
    sabotage: () => ({
      store: partingAnswers((store, local) => {
        store.commit(() => ({ result: undefined, local })).catch(() => {})
      }),
    }),
  },
}
