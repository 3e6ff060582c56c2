import type { EntityName } from '../change.ts'
import { entityKey } from '../entity.ts'

/** What a daemon did not take of another. */
export interface Refused {
  readonly count: number
  /** The newest; of the others nothing but their number is known. */
  readonly newest: readonly Refusal[]
}

export interface Refusal {
  /** The statement, as far as it could be read. */
  readonly id: string
  readonly reason: string
  readonly since: string
}

/** By which it is known also what a statement is about. */
export const refusalId = (entity: EntityName, statementId: string): string =>
  `${entityKey(entity)} ${statementId}`

/** The entities that have such a refusal, by `entityKey`. */
export const asideOf = ({ newest }: Refused = NOTHING) =>
  newest.map(({ id, reason, since }) => ({ key: id.slice(0, id.lastIndexOf(' ')), reason, since }))

const NOTHING: Refused = { count: 0, newest: [] }
