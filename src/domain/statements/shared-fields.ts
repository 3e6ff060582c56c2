import * as z from 'zod'
import { derivedUuid } from '../../protocol/json/canonical.ts'
import { FreeObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Endpoint, isPlainLabel, PLAIN_LABEL, Text } from '../../protocol/words.ts'

/** Fields that several kinds of statements share. Nothing is trimmed or filled in: a signed value stays as it is. */

/** 32 bytes in base64url. The last character has only four bits, so that each key has exactly one text. */
const KEY_BYTES = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

export const PublicKeyShape = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(KEY_BYTES, 'must be 32 bytes in base64url'),
})

/** Makes the id of the opened entity unique. */
export const Nonce = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'must be 16 bytes in base64url')

export const Label = z
  .string()
  .min(1, 'must not be empty')
  .max(LIMITS.nameLength)
  .refine(isPlainLabel, PLAIN_LABEL)
/** Printable text that names an agent; only names made by this daemon are AIDs. */
const AgentName = z.string().min(1).max(300)
export const Endpoints = Endpoint.nullable()
/** The total is bounded by the length of the statement. */
export const Paths = z.array(z.string().max(1024)).max(1000).readonly()
export const Details = z.union([FreeObject, Text]).nullable()

/** Set if a person said it, not an agent. */
export const byPerson = { by_person: z.literal(true).optional() }

/** Who founds a project or claims a repo. */
export const introduced = {
  public_key: PublicKeyShape,
  agent_id: AgentName,
  /**
   * The agent whose daemon signs on behalf of an agent that signs nothing itself. Statements under it were reported by
   * that daemon, and may have ids that are not certified.
   */
  reported_by: AgentName.optional(),
  ...byPerson,
}

/** A repo's id is derived from its name, so that a repo that is named on both sides of a partition is one repo. */
export const repoIdOf = (projectId: string, name: string): string => derivedUuid('repo', projectId, name)
