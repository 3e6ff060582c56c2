import type { Change } from '../../src/domain/change.ts'
import {
  type Merged,
  mergeContract,
  mergePacket,
  mergeProject,
  mergeReceipt,
  mergeRepo,
} from '../../src/domain/merge.ts'
import type { Contract, Packet, Project, Receipt, Repo } from '../../src/domain/model.ts'
import { entityKey } from '../../src/engine/change-log.ts'
import type { Store } from '../../src/engine/ports.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'

/** What a daemon holds, entity by entity. */
export type State = ReadonlyMap<string, Change>

export function stateOf(store: Store): State {
  return new Map(Array.from(store.changes(), (change) => [entityKey(change), change]))
}

const texts = new WeakMap<object, string>()

/** Values are never changed in place, so their text is written once. */
export function textOf({ value }: Change): string {
  let text = texts.get(value)
  if (text === undefined) {
    text = canonicalText(value)
    texts.set(value, text)
  }
  return text
}

/** Whether everything that the change says is in the state: merging it once more would teach nothing. */
export function holds(state: State, change: Change): boolean {
  const present = state.get(entityKey(change))
  return present !== undefined && (present.value === change.value || !merge(present, change).changed)
}

function merge(present: Change, { kind, value }: Change): Merged<unknown> {
  switch (kind) {
    case 'project':
      return mergeProject(present.value as Project, value)
    case 'repo':
      return mergeRepo(present.value as Repo, value)
    case 'contract':
      return mergeContract(present.value as Contract, value)
    case 'packet':
      return mergePacket(present.value as Packet, value)
    case 'receipt':
      return mergeReceipt(present.value as Receipt, value)
    default:
      return kind satisfies never
  }
}
