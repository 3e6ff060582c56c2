import { randomBytes } from 'node:crypto'

const NONCE_BYTES = 16
/** To ask the system for so many random bytes takes about as long as to ask for one nonce's. */
const DRAWN_BYTES = 256 * NONCE_BYTES

let drawn = Buffer.alloc(0)
let next = 0

/** Random bytes in base64url, each of which is given to nobody else. */
export function newNonce(): string {
  if (next === drawn.length) {
    drawn = randomBytes(DRAWN_BYTES)
    next = 0
  }
  const nonce = drawn.toString('base64url', next, next + NONCE_BYTES)
  next += NONCE_BYTES
  return nonce
}
