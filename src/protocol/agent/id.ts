import * as z from 'zod'
import { isAgentId, MAX_AID } from './is-agent-id.ts'

const FORM = `must be 1 to ${MAX_AID} printable characters without a space at either end`

export const AgentId = z.string().refine(isAgentId, FORM)

/** The message for an ID that came outside of params. */
export const agentIdMistake = (field: string): string => `${field}: ${FORM}`
