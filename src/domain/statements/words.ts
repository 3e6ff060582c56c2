import { z } from 'zod'
import { derivedUuid } from '../../protocol/json/canonical.ts'
import { FreeObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Endpoint, isPlainLabel, PLAIN_LABEL, Text } from '../../protocol/words.ts'
import { KEY_BYTES } from '../trust/rotation.ts'

/** Words that several kinds of statements are made of. Nothing is trimmed or filled in: what is signed stays as it is. */

export const PublicKeyShape = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(KEY_BYTES, 'must be 32 bytes in base64url'),
})

/** Makes an id that nobody else's opening has. */
export const Nonce = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'must be 16 bytes in base64url')

export const Label = z
  .string()
  .min(1, 'must not be empty')
  .max(LIMITS.nameLength)
  .refine(isPlainLabel, PLAIN_LABEL)
/** Printable text that means an agent; only what we make ourselves is an AID. */
export const AgentName = z.string().min(1).max(300)
export const Endpoints = Endpoint.nullable()
/** How much they are together is bounded by the statement. */
export const Paths = z.array(z.string().max(1024)).max(1000)
export const Details = z.union([FreeObject, Text]).nullable()

/**
 * Of a founding or claim: the agent whose daemon signs it, because the one that it is about signs nothing itself. What is
 * said under it was heard by that daemon, and may have ids in foreign forms.
 */
export const reportedBy = { reported_by: AgentName.optional() }

/** Said by a person and not by an agent. */
export const byPerson = { by_person: z.literal(true).optional() }

/** The id of a repo follows from its name, so that one that is named on both sides of a partition is one repo. */
export const repoIdOf = (projectId: string, name: string): string => derivedUuid('repo', projectId, name)
