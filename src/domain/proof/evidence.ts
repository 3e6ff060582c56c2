import * as z from 'zod'
import type { JsonObject } from '../../protocol/json/json.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Id, Sha256 } from '../../protocol/words.ts'

/** What a verification rests on, beside the word of the agent that gives it. */

const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** The last characters of what a command printed. */
export const OUTPUT_LENGTH = 2000
const FAILURES = 5
const FAILURE_LENGTH = 500

/** A command that was run. */
const Run = z.object({
  kind: z.literal('run'),
  /** The repo in which it was run. */
  repo: z.string().min(1).max(LIMITS.nameLength),
  command: z.string().min(1).max(1000),
  exitCode: z.int().min(-1).max(255),
  durationMs: Count.optional(),
  output: z
    .object({ sha256: Sha256, tail: z.string().max(OUTPUT_LENGTH) })
    .optional()
    .describe('the hash of all that it printed, and the end of it'),
})

/** Requests and answers that were seen and compared with the contract. */
const Exchanges = z.object({
  kind: z.literal('exchanges'),
  repo: z.string().min(1).max(LIMITS.nameLength),
  count: Count.describe('requests to operations of the contract'),
  failed: Count.describe('those that did not fit'),
  seen: z.array(z.string().max(300)).max(LIMITS.listItems).describe('places of the contract that were seen'),
  of: Count.describe('how many places the contract has'),
  har: Sha256.nullable().describe('the hash of the recorded file'),
  failures: z.array(z.string().max(FAILURE_LENGTH)).max(FAILURES).describe('the first that did not fit'),
})

export const Evidence = z.discriminatedUnion('kind', [Run, Exchanges])
export type Evidence = z.output<typeof Evidence>

const MOST_EVIDENCE = 10

/** As a call gives it: it may leave out its own repo. */
export const GivenEvidence = z
  .array(z.discriminatedUnion('kind', [Run.partial({ repo: true }), Exchanges.partial({ repo: true })]))
  .max(MOST_EVIDENCE)

/** What a verification is advised to bring. */
export const EVIDENCE_TO_GIVE = [{ kind: 'run', command: PLACEHOLDER, exitCode: 0 }]
export const TO_VERIFY = { result: 'success', evidence: EVIDENCE_TO_GIVE }

/** How well a verification is founded, the weakest first. */
export const GRADES = ['claimed', 'ran', 'observed'] as const
export type Grade = (typeof GRADES)[number]

/**
 * The evidence in the content of a verification. It came later than the kind, and daemons that do not know it admit
 * anything there; so do we, and what is not understood is no evidence.
 */
export function evidenceIn(content: Readonly<Record<string, unknown>> | undefined): readonly Evidence[] {
  const given = content?.['evidence']
  if (!Array.isArray(given)) return []
  return given.slice(0, MOST_EVIDENCE).flatMap((one) => Evidence.safeParse(one).data ?? [])
}

const Tree = z.object({ repo_id: Id, digest: Sha256 })

/** By repo, the digest of the files that a verification judged; also a key that came later. */
export function treesIn({ trees }: JsonObject): ReadonlyMap<string, string> {
  const given = Array.isArray(trees) ? trees.slice(0, LIMITS.repos) : []
  const read = given.flatMap((one) => Tree.safeParse(one).data ?? [])
  return new Map(read.map(({ repo_id, digest }) => [repo_id, digest]))
}

/** What a piece of evidence shows if it is taken by itself; undefined: that something does not work. */
function gradeShownBy(one: Evidence): Grade | undefined {
  if (one.kind === 'run') return one.exitCode === 0 ? 'ran' : undefined
  if (one.failed > 0) return undefined
  return one.count > 0 ? 'observed' : 'claimed'
}

/** The best of what its evidence shows. */
export function gradeOf(evidence: readonly Evidence[]): Grade {
  const shown = evidence.map((one) => gradeShownBy(one) ?? 'claimed')
  return GRADES.findLast((grade) => shown.includes(grade)) ?? 'claimed'
}

/** A piece of evidence that shows that something does not work. */
export const failureIn = (evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.find((one) => gradeShownBy(one) === undefined)

export const isAtLeast = (grade: Grade, required: Grade): boolean =>
  GRADES.indexOf(grade) >= GRADES.indexOf(required)
