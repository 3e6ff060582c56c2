import { randomBytes } from 'node:crypto'

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
