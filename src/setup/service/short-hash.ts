import { sha256 } from '../../protocol/text/sha256.ts'

/** Tells one text from another where nobody tries to make two alike. */
export const shortHash = (text: string): string => sha256(text).slice(0, 12)
