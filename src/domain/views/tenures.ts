import { firstPosition } from '../../protocol/collections/first-position.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import { latest, type Stamp } from '../../protocol/stamp.ts'
import { byTime, type Statement } from '../statements/statement.ts'

/** One claim of a repo, with its release and its confirmation. */
export interface ClaimOfRepo {
  readonly claim: Statement
  readonly released_at: Stamp | undefined
  /** The founder's earliest confirmation of it. */
  readonly confirmation: Statement | undefined
}

/** A decision on who holds a repo, by the founder or by vote. */
export interface Ruling {
  readonly at: Stamp
  /** The claim that holds the repo from then on; null: none of the claims before. */
  readonly holder: string | null
  /** By claim that lost, until when statements under it count; null or missing: none of them counts. */
  readonly ended: ReadonlyMap<string, Stamp | null>
  /** Claims that lost, under which statements count until that time even if their own keys ended them earlier. */
  readonly restored: ReadonlySet<string>
  /** Claims that this or an earlier ruling ended, and to which no later ruling gave the repo back. */
  readonly lost: ReadonlySet<string>
}

/**
 * holds: speaks for the repo; left: spoke for it until it was released; settled: the repo was given to somebody else;
 * outranked: another claim takes precedence.
 */
type TenureStanding = 'holds' | 'left' | 'settled' | 'outranked'

/** The time in which one key holds a repo. It may have several claims: a restored daemon may claim again. */
export interface Tenure {
  readonly key: string
  readonly claims: readonly ClaimOfRepo[]
  readonly from: Stamp
  /** Undefined while it is not released. */
  readonly to: Stamp | undefined
  readonly confirmation: Statement | undefined
  readonly standing: TenureStanding
  /** For a settled tenure: statements under it count up to this time. */
  readonly counts_until: Stamp | null
  /** For a settled tenure: whether `counts_until` overrides the end that its own keys stated. */
  readonly is_restored: boolean
}

type Candidate = Omit<Tenure, 'standing' | 'counts_until' | 'is_restored'>

/** A key may claim a repo any number of times, so claims are added in place instead of copying the list. */
interface MutableCandidate extends Candidate {
  readonly claims: ClaimOfRepo[]
  from: Stamp
  confirmation: Statement | undefined
}

interface Overlapping {
  readonly claims: ClaimOfRepo[]
  to: Stamp | undefined
}

/**
 * The tenures of a repo in order of precedence: the holder by a ruling first; then those that the founder confirmed,
 * in the order of confirmation; then the others by the time of their claim.
 */
export function tenuresOf(claims: Iterable<ClaimOfRepo>, ruling: Ruling | undefined): Tenure[] {
  const candidates = candidatesOf(claims, ruling)
  const lost = keysThatLost(candidates, ruling)
  // Whoever lost a repo does not get it back by releasing and claiming it again: the founder has to confirm it.
  const isSettled = (one: Candidate) =>
    ruling !== undefined && (endsBy(ruling, one) || (lost.has(one.key) && isLateAndUnconfirmed(ruling, one)))
  const standing = candidates.filter((one) => !isSettled(one)).sort(byRank(ruling))
  const taken = new Coverage()
  const tenures: Tenure[] = []
  const lastKnown = latest(standing.flatMap((one) => (rankOf(one, ruling) < 2 ? [one.from] : [])))
  // Anybody can pretend to have had and left a repo before its known holder.
  const isPretended = (one: Candidate) =>
    rankOf(one, ruling) === 2 && one.to !== undefined && one.from <= lastKnown
  for (const one of standing) {
    const isFirst = !taken.covers(one.to) && !isPretended(one)
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
 * A ruling ends the tenures that it names, and every other one that had begun by then, had not ended yet and was not
 * confirmed by the founder since.
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

const isLateAndUnconfirmed = (ruling: Ruling, one: Candidate): boolean =>
  one.from > ruling.at && rankOf(one, ruling) === 2

function countsUntil({ claims }: Candidate, ruling: Ruling | undefined): Stamp | null {
  const ends = claims.flatMap(({ claim }) => ruling?.ended.get(claim.id) ?? [])
  return ends.length === 0 ? null : latest(ends)
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
  return found.flatMap((one) =>
    one.claims.length === 1 ? one.claims.map(candidateOf) : splitOverlapping(one.claims, ruling),
  )
}

/**
 * Splits overlapping claims of one key into tenures: each has the claim that takes precedence and those that end no
 * later. So a confirmation applies only as long as the confirmed claim lasts, and no other claim prolongs it.
 */
function splitOverlapping(claims: readonly ClaimOfRepo[], ruling: Ruling | undefined): Candidate[] {
  const tenures: MutableCandidate[] = []
  const ranked = claims.map((one) => ({ one, alone: candidateOf(one) }))
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

const candidateOf = (one: ClaimOfRepo): MutableCandidate => ({
  key: one.claim.key,
  claims: [one],
  from: one.claim.at,
  to: endOf(one),
  confirmation: one.confirmation,
})

const endOf = ({ claim, released_at }: ClaimOfRepo): Stamp | undefined =>
  released_at && max(claim.at, released_at)

/** Undefined is later than every time. */
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

/** The times that tenures of higher precedence take, as spans that do not touch. */
class Coverage {
  readonly #spans: { from: Stamp; to: Stamp | undefined }[] = []

  /** Undefined stands for the present. */
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
      span = { from: min(other.from, span.from), to: later(other.to, span.to) }
      end++
    }
    this.#spans.splice(begin, end - begin, span)
  }
}

/** In spans ordered by their end, the index of the first that ends at this time or later; undefined is latest. */
function firstEndingAt(spans: readonly Pick<Tenure, 'to'>[], moment: Stamp | undefined): number {
  return firstPosition(spans.length, (position) => {
    const to = spans[position]?.to
    return to !== undefined && (moment === undefined || to < moment)
  })
}
