import type { Unsigned } from '../../src/domain/statements/say.ts'
import type { Statement } from '../../src/domain/statements/statement.ts'
import type { Store } from '../../src/engine/ports/ports.ts'
import { placeOf, stateOf } from './state.ts'

export interface Eyes {
  /** Filled with all that is on disk for certain. */
  readonly durable: Map<string, Statement>
  /** What was said with an answer. */
  readonly saidWith: WeakMap<object, readonly Unsigned[]>
  readonly wrote: (sightings: readonly Unsigned[]) => void
  /** Told what was said again, and what was dropped for it. */
  readonly renewed: (before: Statement, after: Unsigned) => void
  /** What is being said again: where the disk fails meanwhile, the next start shows whether it is on it. */
  readonly doubtful: Set<Renewal>
}

export interface Renewal {
  readonly before: Statement
  readonly after: Unsigned
}

/** A store, with eyes for what becomes durable and for which answer stands for which statements. */
export function observed(store: Store, { durable, saidWith, wrote, renewed, doubtful }: Eyes): Store {
  for (const [place, statement] of stateOf(store)) durable.set(place, statement)
  for (const { before, after } of doubtful)
    if (durable.get(placeOf(after))?.id === after.id) renewed(before, after)
  doubtful.clear()
  store.onDurable((statements) => {
    for (const { statement, isDropped } of statements)
      if (isDropped) durable.delete(placeOf(statement))
      else durable.set(placeOf(statement), statement)
  })
  return {
    id: store.id,
    view: store.view,
    health: () => store.health(),
    checkDiskSpace: () => store.checkDiskSpace(),
    statements: () => store.statements(),
    onDurable: (listener) => store.onDurable(listener),
    onLocal: (listener) => store.onLocal(listener),
    commit: async (decide) => {
      let said: readonly Unsigned[] = []
      let renewals: readonly Renewal[] = []
      const answer = await store.commit((view) => {
        const decision = decide(view)
        said = decision.says ?? []
        const dropped = (decision.drops ?? []).map(({ project_id, id }) =>
          view.projects.get(project_id)?.said.get(id),
        )
        renewals = renewalsIn(dropped, said)
        for (const one of renewals) doubtful.add(one)
        return decision
      })
      for (const one of renewals) {
        doubtful.delete(one)
        renewed(one.before, one.after)
      }
      if (typeof answer === 'object' && answer !== null && said.length > 0) saidWith.set(answer, said)
      const sightings = said.filter(({ kind }) => kind === 'sighting')
      if (sightings.length > 0) wrote(sightings)
      return answer
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** The last one is dropped first. */
function renewalsIn(dropped: readonly (Statement | undefined)[], said: readonly Unsigned[]): Renewal[] {
  return dropped.toReversed().flatMap((before, index) => {
    const after = said[index]
    return before === undefined || after === undefined ? [] : [{ before, after }]
  })
}
