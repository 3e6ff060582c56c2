import * as z from 'zod'
import { NextCall } from '../../protocol/next-call.ts'
import { Sha256, Texts } from '../../protocol/words.ts'
import { GRADES } from './evidence.ts'

/** Whether a repo may merge its part of a contract: what a verdict only says, the gate enforces. */

/** The worst first. */
export const GATE_ANSWERS = ['no', 'unknown', 'yes'] as const
export type GateAnswer = (typeof GATE_ANSWERS)[number]

const CODES = [
  'fits',
  'not_in_force',
  'open_conflict',
  'verification_failed',
  'older_version',
  'not_complete',
  'own_file_moved',
  'breaks_counterpart',
  'merge_counterpart_first',
  'counterpart_silent',
  'not_verified',
  'stale',
  'no_evidence',
] as const

export const GateRow = z.object({
  contractId: z.string(),
  name: z.string(),
  version: z.int().describe('the one in force; of a contract that has none, the newest'),
  answer: z.enum(GATE_ANSWERS),
  code: z.enum(CODES),
  say: z.string().describe('why, in one sentence'),
  notes: Texts.optional().describe('what does not stop it and should be known'),
  ask: Texts.optional().describe('names of the repos that can change the answer'),
  next: NextCall.optional().describe('the call by which that is done'),
  grade: z.enum(GRADES).optional().describe('how well the verification is founded'),
  files: z
    .object({ paths: Texts, digest: Sha256 })
    .optional()
    .describe('the declared files of the repo, and their digest as its daemon stated it last'),
})
export type GateRow = z.output<typeof GateRow>

/** What is said about one contract. */
export type GateSaid = Pick<GateRow, 'answer' | 'code' | 'say' | 'ask' | 'next' | 'grade'>
