import { randomBytes } from 'node:crypto'
import type { NewSecret } from '../../engine/ports/ports.ts'

/** 256 bits, which nobody can guess. */
const SECRET_BYTES = 32

export const newSecret: NewSecret = () => randomBytes(SECRET_BYTES).toString('base64url')
