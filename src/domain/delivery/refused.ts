import type { EntityName } from '../change.ts'
import { entityKey } from '../entity.ts'

/** Statements of one daemon that another one refused. */
export interface Refused {
  readonly count: number
  /** The newest; of older ones only the number is kept. */
  readonly newest: readonly Refusal[]
}

export interface Refusal {
  /** The statement, or what could be read of it. */
  readonly id: string
  readonly reason: string
  readonly since: string
}

/** Contains the entity too, so that it is known what a refused statement was about. */
export const refusalId = (entity: EntityName, statementId: string): string =>
  `${entityKey(entity)} ${statementId}`

/** The entities with refused statements, by `entityKey`. */
export const asideOf = ({ newest }: Refused = NOTHING) =>
  newest.map(({ id, reason, since }) => ({ key: id.slice(0, id.lastIndexOf(' ')), reason, since }))

const NOTHING: Refused = { count: 0, newest: [] }
