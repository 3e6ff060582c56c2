import { answer } from './answer.ts'
import { claim } from './claim.ts'
import { confirmation } from './confirmation.ts'
import { description } from './description.ts'
import type { Kind } from './kind.ts'
import { packet } from './packet.ts'
import { project } from './project.ts'
import { redaction } from './redaction.ts'
import { release } from './release.ts'
import { removal } from './removal.ts'
import { repo } from './repo.ts'
import { revision } from './revision.ts'
import { rotation } from './rotation.ts'
import { settlement } from './settlement.ts'
import { sighting } from './sighting.ts'
import type { Statement } from './statement.ts'
import { title } from './title.ts'
import { verification } from './verification.ts'
import { withdrawal } from './withdrawal.ts'
import { work } from './work.ts'

const ALL: readonly Kind[] = [
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

/** By name. A statement of an unknown kind, from a newer daemon, is kept and passed on, and has no effect. */
export const KINDS: ReadonlyMap<string, Kind> = new Map(ALL.map((one) => [one.name, one]))

/**
 * The place in which a statement is kept: of statements with equal places only the newest is kept. A fact has a place
 * of its own. A register belongs to one introduction: a key that speaks for several repos has one register for each.
 */
export function placeKeyOf({ id, kind, about, under = '', body }: Statement): string {
  const row = KINDS.get(kind)
  return row?.family === 'register' ? [kind, about, under, row.register?.(body) ?? ''].join(' ') : id
}
