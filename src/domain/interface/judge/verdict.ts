import type { Change, Expectation, Judgement, Likely, Rollout, Sender, Verdict } from '../model.ts'
import { overlaps } from '../uses/within.ts'
import { wordSet } from '../word-set.ts'
import { shown } from './shown.ts'

/**
 * Whose code stays as it was: consumers meet the new provider (`consumer`), the provider meets new consumers
 * (`provider`), or either (`both`).
 */
export type Direction = Sender

const ORDER: readonly Likely[] = ['no', 'depends', 'unsure', 'yes']
const worse = (a: Likely, b: Likely): Likely => (ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b)

/** What is sent to the one who did not change breaks by narrowing, what it gets breaks by widening. */
export function verdictOf(
  changes: readonly Change[],
  direction: Direction,
  expectation?: Expectation,
): Judgement {
  const breaking: Change[] = []
  const open: Change[] = []
  for (const change of changes) {
    const likely = impactOf(change, direction, expectation)
    if (likely === 'yes') breaking.push(change)
    else if (likely !== 'no') open.push(change)
  }
  const because = breaking.length > 0 ? breaking : open
  const verdict: Verdict = breaking.length > 0 ? 'breaking' : open.length > 0 ? 'unknown' : 'compatible'
  return { verdict, because, missing: missingIn(open) }
}

/** What is asked for in one answer. */
export const MOST_MISSING = 5

function missingIn(open: readonly Change[]): readonly string[] {
  const missing = new Set<string>()
  for (const change of open) {
    if (missing.size >= MOST_MISSING) break
    missing.add(missingOf(change))
  }
  return [...missing]
}

/** What a change that is so likely to hurt comes to. */
export const VERDICT_OF: Readonly<Record<Likely, Verdict>> = {
  yes: 'breaking',
  unsure: 'unknown',
  depends: 'unknown',
  no: 'compatible',
}

/** Whether this change hurts code that stays as it was. */
export function impactOf(change: Change, direction: Direction, expectation?: Expectation): Likely {
  if (direction === 'both')
    return worse(impactOf(change, 'consumer', expectation), impactOf(change, 'provider', expectation))
  const { sender } = change
  // What depends on who sends it depends on consumers: the provider's answers are what they are.
  const isAnswer = sender === 'provider' && direction === 'provider'
  const narrows = isAnswer && change.narrows === 'depends' ? 'no' : change.narrows
  const widens = isTolerated(change, direction, expectation) ? 'no' : change.widens
  const likely =
    sender === 'both'
      ? worse(narrows, widens)
      : (sender === 'consumer') === (direction === 'consumer')
        ? narrows
        : widens
  if (likely === 'no' || direction === 'provider' || expectation === undefined) return likely
  return byUse(change, likely, expectation)
}

const isTolerated = ({ tolerance }: Change, direction: Direction, expectation?: Expectation): boolean =>
  direction === 'consumer' && tolerance !== undefined && (expectation?.tolerates.includes(tolerance) ?? false)

const MUST_SEND = wordSet(
  'required-property-added property-became-required required-slot-added slot-became-required',
)
/** What is no matter of a place, or of which nobody can say where it ends. */
const OF_ALL =
  wordSet(`operation-removed operation-changed form-changed too-large more-changes not-looked-at package-changed
  syntax-changed directive-changed contract-ended`)
const GONE = new Set(['property-removed', 'slot-removed'])

/** What a repo does not use cannot hurt it; what it must send from now on can. */
function byUse(
  change: Change,
  likely: Likely,
  { uses, operations = [], tellsRequests }: Expectation,
): Likely {
  if (uses === null) return likely
  if (change.kind === 'operation-removed' && operations.length > 0)
    return operations.includes(change.at) ? likely : 'no'
  if (OF_ALL.has(change.kind)) return likely
  if (uses.some((use) => overlaps(change.at, use)))
    return likely === 'depends' && GONE.has(change.kind) ? 'yes' : likely
  if (change.sender !== 'consumer') return 'no'
  const tellsWhatItSends = tellsRequests ?? uses.some(isOfRequest)
  return MUST_SEND.has(change.kind) || !tellsWhatItSends ? likely : 'no'
}

const isOfRequest = (use: string): boolean =>
  /(?:^|: )(?:request|query|path|header|cookie|params)\b/.test(use)

function missingOf({ at, tolerance, say, narrows, widens }: Change): string {
  const place = shown(at === '' ? 'all of it' : at)
  if (narrows === 'unsure' || widens === 'unsure') return `cannot tell whether «${place}» still fits: ${say}`
  return tolerance === undefined
    ? `nobody has said whether «${place}» is used`
    : `nobody has said whether consumers tolerate ${tolerance} in «${place}»`
}

/** Who has to go first so that nobody meets what it does not know. What is open counts as a no. */
export function rolloutOf(
  changes: readonly Change[],
  forConsumers: Verdict = verdictOf(changes, 'consumer').verdict,
): Rollout {
  const consumers = forConsumers === 'compatible'
  const provider = verdictOf(changes, 'provider').verdict === 'compatible'
  if (consumers && provider) return 'any'
  if (consumers) return 'provider_first'
  return provider ? 'consumers_first' : 'together'
}

/** The worst first. */
export const VERDICT_RANKS: Readonly<Record<Verdict, number>> = { breaking: 0, unknown: 1, compatible: 2 }
