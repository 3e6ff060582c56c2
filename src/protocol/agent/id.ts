import { z } from 'zod'
import { RESERVED_IDS } from '../words.ts'
import { MAX_AID } from './aid.ts'

/**
 * An agent's ID: any printable text. cacpd makes `aid://` IDs, which ADP needs; other programs name their agents as
 * they like, and are accepted under that name.
 */
const PRINTABLE = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u
const FORM = `must be 1 to ${MAX_AID} printable characters without a space at either end`

export function isAgentId(text: string): boolean {
  return text.length <= MAX_AID && PRINTABLE.test(text) && !RESERVED_IDS.has(text)
}

export const AgentId = z.string().refine(isAgentId, FORM)

/** The message for an ID that came outside of params. */
export const agentIdMistake = (field: string): string => `${field}: ${FORM}`
