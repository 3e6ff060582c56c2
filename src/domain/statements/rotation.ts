import * as z from 'zod'
import { keyIdOf } from '../trust/key-id.ts'
import { MOST_ROTATIONS } from '../trust/rotation.ts'
import { kind } from './kind.ts'
import { PublicKeyShape } from './shared-fields.ts'
import { Signature, type Statement } from './statement.ts'

/**
 * Replaces the key of the introduction under which it is made. The old key signs it like any statement; `proof` is
 * the new key's signature, so that nobody can hand statements over to a key whose owner has not consented.
 */
export const rotation = kind({
  name: 'rotation',
  family: 'fact',
  madeBy: ['founder', 'repo'],
  body: z.looseObject({
    public_key: PublicKeyShape,
    /** How often the key was replaced since the claim or founding, this time included. */
    count: z.int().min(1).max(MOST_ROTATIONS),
    proof: Signature,
  }),
  introduces: ({ public_key }) => public_key,
  problem: ({ statement, body, root, under }) => {
    if (statement.about !== root.about) return 'is about something else than the key that it replaces'
    if (body.count !== 1 + countOf(under)) return 'count does not follow that of the key before'
    if (keyIdOf(body.public_key) === statement.key) return 'public_key is the key that it replaces'
    return undefined
  },
})

const countOf = ({ kind, body }: Statement): number => (kind === 'rotation' ? Number(body['count']) : 0)

/** The text that the new key signs. */
export const rotationProof = (said: Pick<Statement, 'project_id' | 'under' | 'key'>): string =>
  `cacpd-rotation-1\n${said.project_id}\n${said.under}\n${said.key}`
