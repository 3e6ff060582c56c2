import { compareText } from '../../protocol/json/canonical.ts'
import { latest, type Stamp } from '../../protocol/stamp.ts'
import { byTime, type Statement } from '../statements/statement.ts'

/** One claim of a repo with what was said about it. */
export interface ClaimOfRepo {
  readonly claim: Statement
  readonly released_at: Stamp | undefined
  /** The founder's earliest confirmation of it. */
  readonly confirmation: Statement | undefined
}

/** Who holds a repo, by the word of those who may say so. */
export interface Ruling {
  readonly at: Stamp
  /** The claim that holds from then on; null: none of those before. */
  readonly holder: string | null
  /** Until when what was said under a claim that lost still counts; null or missing: not at all. */
  readonly ended: ReadonlyMap<string, Stamp | null>
  /** Claims that lost, of which what was said until then counts whatever their own keys said about when they ended. */
  readonly restored: ReadonlySet<string>
  /** Claims that this or an earlier ruling ended, and that none gave the repo back to. */
  readonly lost: ReadonlySet<string>
}

/**
 * holds: speaks for the repo; left: spoke for it until it was released; settled: the repo was given to somebody else;
 * outranked: somebody else's claim counts before it.
 */
export type TenureStanding = 'holds' | 'left' | 'settled' | 'outranked'

/** One key's time with a repo. It may have several claims: a restored daemon may claim again. */
export interface Tenure {
  readonly key: string
  readonly claims: readonly ClaimOfRepo[]
  readonly from: Stamp
  /** Undefined while it was not released. */
  readonly to: Stamp | undefined
  readonly confirmation: Statement | undefined
  readonly standing: TenureStanding
  /** Of a settled one: until when what it said counts. */
  readonly counts_until: Stamp | null
  /** Of a settled one: whether that goes before what its own keys said about when they ended. */
  readonly is_restored: boolean
}

type Candidate = Omit<Tenure, 'standing' | 'counts_until' | 'is_restored'>

/** A key may claim a repo any number of times, so that each one more is added and nothing is copied. */
interface Growing extends Candidate {
  readonly claims: ClaimOfRepo[]
  from: Stamp
  confirmation: Statement | undefined
}

interface Overlapping {
  readonly claims: ClaimOfRepo[]
  to: Stamp | undefined
}

/**
 * The tenures of a repo, those that count before others first. A ruling's holder counts before all; then those that
 * the founder confirmed, in that order; then the others by the time of their claim.
 */
export function tenuresOf(claims: Iterable<ClaimOfRepo>, ruling: Ruling | undefined): Tenure[] {
  const candidates = candidatesOf(claims, ruling)
  const lost = keysThatLost(candidates, ruling)
  // Whoever lost a repo does not get it back by leaving it and claiming it again: the founder has to say so.
  const isSettled = (one: Candidate) =>
    ruling !== undefined && (endsBy(ruling, one) || (lost.has(one.key) && isLateAndUnknown(ruling, one)))
  const standing = candidates.filter((one) => !isSettled(one)).sort(byRank(ruling))
  const taken = new Coverage()
  const tenures: Tenure[] = []
  const lastKnown = latest(standing.flatMap((one) => (rankOf(one, ruling) < 2 ? [one.from] : [])))
  // Anybody can say that it had a repo, and left it, before the one that is known to have it.
  const isInvented = (one: Candidate) =>
    rankOf(one, ruling) === 2 && one.to !== undefined && one.from <= lastKnown
  for (const one of standing) {
    const isFirst = !taken.covers(one.to) && !isInvented(one)
    taken.add(one.from, one.to)
    const word = !isFirst ? 'outranked' : one.to === undefined ? 'holds' : 'left'
    tenures.push({ ...one, standing: word, counts_until: null, is_restored: false })
  }
  for (const one of candidates.filter(isSettled).sort(byRank(undefined)))
    tenures.push({
      ...one,
      standing: 'settled',
      counts_until: countsUntil(one, ruling),
      is_restored: one.claims.some(({ claim }) => ruling?.restored.has(claim.id)),
    })
  return tenures
}

/**
 * A ruling ends the tenures that it names, and every other one that had begun by then, was not over already and that
 * the founder has not confirmed since.
 */
function endsBy({ at, holder, ended }: Ruling, { claims, from, to, confirmation }: Candidate): boolean {
  if (claims.some(({ claim }) => claim.id === holder)) return false
  if (claims.some(({ claim }) => ended.has(claim.id))) return true
  return from <= at && (to === undefined || to > at) && (confirmation === undefined || confirmation.at <= at)
}

function keysThatLost(candidates: readonly Candidate[], ruling: Ruling | undefined): Set<string> {
  const keys = new Set<string>()
  if (ruling === undefined) return keys
  for (const one of candidates)
    if (endsBy(ruling, one) || one.claims.some(({ claim }) => ruling.lost.has(claim.id))) keys.add(one.key)
  for (const { key, claims } of candidates)
    if (claims.some(({ claim }) => claim.id === ruling.holder)) keys.delete(key)
  return keys
}

const isLateAndUnknown = (ruling: Ruling, one: Candidate): boolean =>
  one.from > ruling.at && rankOf(one, ruling) === 2

function countsUntil({ claims }: Candidate, ruling: Ruling | undefined): Stamp | null {
  let latest: Stamp | null = null
  for (const { claim } of claims) {
    const until = ruling?.ended.get(claim.id) ?? null
    if (until !== null && (latest === null || until > latest)) latest = until
  }
  return latest
}

function candidatesOf(claims: Iterable<ClaimOfRepo>, ruling: Ruling | undefined): Candidate[] {
  const found: Overlapping[] = []
  const lastOf = new Map<string, Overlapping>()
  for (const one of [...claims].sort((a, b) => byTime(a.claim, b.claim))) {
    const { key, at } = one.claim
    const last = lastOf.get(key)
    const to = endOf(one)
    if (last !== undefined && (last.to === undefined || at <= last.to)) {
      last.claims.push(one)
      last.to = later(last.to, to)
    } else {
      const first = { claims: [one], to }
      lastOf.set(key, first)
      found.push(first)
    }
  }
  return found.flatMap((one) => (one.claims.length === 1 ? one.claims.map(begun) : apart(one.claims, ruling)))
}

/**
 * Claims of one key that overlap, as tenures: a claim that counts before the others, and those that last no longer. So
 * a confirmation reaches as far as the claim that it is about, and no claim that is said beside it prolongs that.
 */
function apart(claims: readonly ClaimOfRepo[], ruling: Ruling | undefined): Candidate[] {
  const tenures: Growing[] = []
  const ranked = claims.map((one) => ({ one, alone: begun(one) }))
  const inOrder = byRank(ruling)
  ranked.sort((a, b) => inOrder(a.alone, b.alone))
  for (const { one, alone } of ranked) {
    const tenure = tenures[firstEndingAt(tenures, alone.to)]
    if (tenure === undefined) tenures.push(alone)
    else {
      tenure.claims.push(one)
      tenure.from = min(tenure.from, alone.from)
      if (tenure.to === alone.to) tenure.confirmation = earlier(tenure.confirmation, alone.confirmation)
    }
  }
  for (const tenure of tenures) tenure.claims.sort((a, b) => byTime(a.claim, b.claim))
  return tenures
}

const begun = (one: ClaimOfRepo): Growing => ({
  key: one.claim.key,
  claims: [one],
  from: one.claim.at,
  to: endOf(one),
  confirmation: one.confirmation,
})

const endOf = ({ claim, released_at }: ClaimOfRepo): Stamp | undefined =>
  released_at && max(claim.at, released_at)

/** Undefined is later than every moment. */
const later = (a: Stamp | undefined, b: Stamp | undefined): Stamp | undefined =>
  a === undefined || b === undefined ? undefined : max(a, b)

const max = (a: Stamp, b: Stamp): Stamp => (compareText(a, b) > 0 ? a : b)
const min = (a: Stamp, b: Stamp): Stamp => (compareText(a, b) < 0 ? a : b)

const earlier = (a: Statement | undefined, b: Statement | undefined): Statement | undefined =>
  a === undefined ? b : b === undefined || byTime(a, b) <= 0 ? a : b

function rankOf({ claims, confirmation }: Candidate, ruling: Ruling | undefined): 0 | 1 | 2 {
  if (claims.some(({ claim }) => claim.id === ruling?.holder)) return 0
  return confirmation === undefined ? 2 : 1
}

function byRank(ruling: Ruling | undefined): (a: Candidate, b: Candidate) => number {
  const rank = (one: Candidate) => rankOf(one, ruling)
  const moment = ({ confirmation, claims: [first] }: Candidate) => confirmation ?? first?.claim
  return (a, b) => {
    const [one, other] = [moment(a), moment(b)]
    if (rank(a) !== rank(b) || one === undefined || other === undefined) return rank(a) - rank(b)
    return byTime(one, other) || compareText(a.key, b.key)
  }
}

/** The times that somebody who counts before has taken, as spans that do not touch. */
class Coverage {
  readonly #spans: { from: Stamp; to: Stamp | undefined }[] = []

  /** Undefined: the time after everything that was said so far. */
  covers(moment: Stamp | undefined): boolean {
    if (moment === undefined) return this.#spans.some(({ to }) => to === undefined)
    const span = this.#spans[firstEndingAt(this.#spans, moment)]
    return span !== undefined && span.from <= moment
  }

  add(from: Stamp, to: Stamp | undefined): void {
    const begin = firstEndingAt(this.#spans, from)
    let end = begin
    let span = { from, to }
    for (let other = this.#spans[end]; other !== undefined; other = this.#spans[end]) {
      if (span.to !== undefined && other.from > span.to) break
      span = {
        from: min(other.from, span.from),
        to: later(other.to, span.to),
      }
      end++
    }
    this.#spans.splice(begin, end - begin, span)
  }
}

/** Of spans in the order of their ends, the first that is not over before this moment; undefined is after all of them. */
function firstEndingAt(spans: readonly Pick<Tenure, 'to'>[], moment: Stamp | undefined): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const to = spans[middle]?.to
    if (to !== undefined && (moment === undefined || to < moment)) low = middle + 1
    else high = middle
  }
  return low
}
