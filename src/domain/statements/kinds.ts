import { answer } from './answer.ts'
import { claim } from './claim.ts'
import { confirmation } from './confirmation.ts'
import { description } from './description.ts'
import { expectation } from './expectation.ts'
import type { Kind } from './kind.ts'
import { merged } from './merged.ts'
import { packet } from './packet.ts'
import { project } from './project.ts'
import { redaction } from './redaction.ts'
import { registerSaidIn } from './register-name.ts'
import { release } from './release.ts'
import { removal } from './removal.ts'
import { repo } from './repo.ts'
import { revision } from './revision.ts'
import { rotation } from './rotation.ts'
import { settlement } from './settlement.ts'
import { sighting } from './sighting.ts'
import type { Statement } from './statement.ts'
import { title } from './title.ts'
import { tree } from './tree.ts'
import { verification } from './verification.ts'
import { withdrawal } from './withdrawal.ts'
import { work } from './work.ts'

/** Kinds that every daemon knows, and with them whether they are facts or registers. */
const FIRST: readonly Kind[] = [
  project,
  title,
  repo,
  removal,
  description,
  claim,
  release,
  rotation,
  confirmation,
  settlement,
  revision,
  answer,
  work,
  verification,
  withdrawal,
  packet,
  redaction,
  sighting,
]

/**
 * Kinds that came later. Some daemons do not know them and have to keep the same statements of them all the same, so
 * each statement says itself whether it is of a register (`registerSaidIn`).
 */
const LATER: readonly Kind[] = [expectation, tree, merged]

/** By name. A statement of an unknown kind, from a newer daemon, is kept and passed on, and has no effect. */
export const KINDS: ReadonlyMap<string, Kind> = new Map([...FIRST, ...LATER].map((one) => [one.name, one]))

const FIRST_NAMES: ReadonlySet<string> = new Set(FIRST.map(({ name }) => name))

/** Whether its family does not follow from its name, because not every daemon knows it. */
export const saysItsFamily = ({ kind }: Pick<Statement, 'kind'>): boolean => !FIRST_NAMES.has(kind)

/** Undefined for a fact. */
function registerOf(statement: Statement): string | undefined {
  const { kind, body } = statement
  if (saysItsFamily(statement)) return registerSaidIn(body)
  const row = KINDS.get(kind)
  return row?.family === 'register' ? (row.register?.(body) ?? '') : undefined
}

export const isRegister = (statement: Statement): boolean => registerOf(statement) !== undefined

/**
 * The place in which a statement is kept: of statements with equal places only the newest is kept. A fact has a place
 * of its own. A register belongs to one introduction: a key that speaks for several repos has one register for each.
 */
export function placeKeyOf(statement: Statement): string {
  const register = registerOf(statement)
  if (register === undefined) return statement.id
  const { kind, about, under = '' } = statement
  return [kind, about, under, register].join(' ')
}
