import { randomBytes } from 'node:crypto'
import type { NewSecret } from '../../engine/ports/ports.ts'

/** Twice what anybody could guess: 256 bits. */
const SECRET_BYTES = 32

export const newSecret: NewSecret = () => randomBytes(SECRET_BYTES).toString('base64url')
