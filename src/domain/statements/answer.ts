import * as z from 'zod'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { ResponseAction, Text } from '../../protocol/words.ts'
import { kind } from './kind.ts'
import { byPerson, Details } from './shared-fields.ts'
import { StatementId } from './statement.ts'

/** Agrees to a revision, asks for a change of it, or rejects it. */
export const answer = kind({
  name: 'answer',
  family: 'fact',
  madeBy: ['repo'],
  body: z.looseObject({ revision: StatementId, action: ResponseAction, ...byPerson }),
  content: z.looseObject({ comment: Text, suggested_change: Details }),
  cites: ({ revision }) => [{ id: revision, kinds: ['revision'], isAboutSame: true }],
})

/**
 * Which changes an agreement accepts, by their fingerprints, and of which revision they are changes. These keys came
 * later, and daemons that do not know them admit anything there; so do we, and what is not understood has no effect.
 */
export function acceptanceIn({ accepts, accepts_against: against }: JsonObject): Acceptance {
  if (!Array.isArray(accepts) || typeof against !== 'string') return { accepts: [], accepts_against: null }
  return { accepts: accepts.filter(isFingerprint), accepts_against: against }
}

export const FINGERPRINT = /^[0-9a-f]{12}$/
export const FINGERPRINT_FORM = 'must be a fingerprint: 12 hex digits, as review shows them'

const isFingerprint = (value: Json): value is string => typeof value === 'string' && FINGERPRINT.test(value)

export interface Acceptance {
  /** Fingerprints of changes that a repo takes on itself, though they hurt it. */
  readonly accepts: readonly string[]
  /** The revision that those changes are changes of. */
  readonly accepts_against: string | null
}
