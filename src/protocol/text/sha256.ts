import { hash } from 'node:crypto'

/**
 * Text is hashed as UTF-8. Native, because every revision that a peer sends is hashed, and JavaScript takes three
 * times as long.
 */
export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  hash('sha256', data, encoding)
