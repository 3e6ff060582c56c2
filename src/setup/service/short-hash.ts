import { sha256 } from '../../protocol/text/sha256.ts'

/** Distinguishes texts where nobody tries to make a collision. */
export const shortHash = (text: string): string => sha256(text).slice(0, 12)
