import { hash } from 'node:crypto'

/** Text is hashed as UTF-8. Native, because it takes a third of the time, and every revision of a peer is hashed. */
export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  hash('sha256', data, encoding)
