import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Tells one text from another where nobody tries to make two alike. */
export const shortHash = (text: string): string => textHash(text).slice(0, 12)

export const textHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))
