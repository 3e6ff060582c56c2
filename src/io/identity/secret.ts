import { randomBytes } from 'node:crypto'
import type { NewSecret } from '../../engine/ports/ports.ts'

/** 256 bits, which nobody can guess. */
const SECRET_BYTES = 32

export const newSecret: NewSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

const NONCE_BYTES = 16
/** Drawing this many random bytes takes about as long as drawing those of one nonce. */
const DRAWN_BYTES = 256 * NONCE_BYTES

let drawn = Buffer.alloc(0)
let next = 0

/** Random bytes in base64url; no bytes are used twice. */
export function newNonce(): string {
  if (next === drawn.length) {
    drawn = randomBytes(DRAWN_BYTES)
    next = 0
  }
  const nonce = drawn.toString('base64url', next, next + NONCE_BYTES)
  next += NONCE_BYTES
  return nonce
}
