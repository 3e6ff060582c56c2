import { RESERVED_IDS } from '../reserved-ids.ts'

/** Loads no package: every client of a daemon needs it. */

export const MAX_AID = 256

/**
 * An agent's ID: any printable text. cacpd makes `aid://` IDs, which ADP needs; other programs name their agents as
 * they like, and are accepted under that name.
 */
const PRINTABLE = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u

export function isAgentId(text: string): boolean {
  return text.length <= MAX_AID && PRINTABLE.test(text) && !RESERVED_IDS.has(text)
}
