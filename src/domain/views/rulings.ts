import { canonicalText } from '../../protocol/json/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { bodyOf } from '../statements/kind.ts'
import { settlement as settlementKind } from '../statements/settlement.ts'
import { byTime, newestOf, type Statement } from '../statements/statement.ts'
import { groupBy } from './group-by.ts'
import type { Ruling } from './tenures.ts'

/** What settlements of one repo by those who may say so come to. */
export function rulingBy(settlements: readonly Statement[]): Ruling | undefined {
  const newest = newestOf(settlements)
  if (newest === undefined) return undefined
  const { holder } = bodyOf(settlementKind, newest)
  const [ended, restored] = [endedBy(newest), restoredBy(newest)]
  return { at: newest.at, holder, ended, restored, lost: claimsThatLost(settlements) }
}

const endedBy = (settlement: Statement): Map<string, Stamp | null> =>
  new Map(bodyOf(settlementKind, settlement).ended.map(({ claim, until }) => [claim, until]))

const restoredBy = (settlement: Statement): Set<string> =>
  new Set(bodyOf(settlementKind, settlement).restored)

/**
 * What more than half of the voters say alike in their newest word, though never a single one: it could take the
 * founder's own repo where there are only two. It goes from the moment when so many had come to say so: else one of
 * them alone, who says it again, would end whoever came since.
 */
export function rulingByVotes(
  votes: readonly Statement[],
  { keyOf, voters }: { readonly keyOf: (vote: Statement) => string; readonly voters: number },
): Ruling | undefined {
  const majority = Math.max(2, Math.floor(voters / 2) + 1)
  const rows = [...groupBy(votes, keyOf).values()].map(lastRowOf)
  if (rows.length < majority) return undefined
  const agreeing = [...groupBy(rows, ({ saying }) => saying).values()].find((same) => same.length >= majority)
  const decisive = agreeing?.map(({ first }) => first).sort(byTime)[majority - 1]
  if (agreeing === undefined || decisive === undefined) return undefined
  const { holder } = bodyOf(settlementKind, decisive)
  const named = agreeing.flatMap(({ newest }) => [...endedBy(newest)])
  const ended = new Map(
    [...groupBy(named, canonicalText).values()].flatMap((same) => (same.length >= majority ? same : [])),
  )
  return { at: decisive.at, holder, ended, restored: restoredBy(decisive), lost: new Set(ended.keys()) }
}

/** What one voter says now, and since when without having said anything else. */
interface Row {
  readonly saying: string
  readonly first: Statement
  readonly newest: Statement
}

function lastRowOf(votes: readonly Statement[]): Row {
  const [newest, ...earlier] = [...votes].sort((a, b) => byTime(b, a)) as [Statement, ...Statement[]]
  const saying = sayingOf(newest)
  const otherwise = earlier.findIndex((one) => sayingOf(one) !== saying)
  const first = (otherwise === -1 ? earlier : earlier.slice(0, otherwise)).at(-1) ?? newest
  return { saying, first, newest }
}

function claimsThatLost(settlements: readonly Statement[]): Set<string> {
  const lost = new Set<string>()
  for (const one of [...settlements].sort(byTime)) {
    const { holder, ended } = bodyOf(settlementKind, one)
    for (const { claim } of ended) lost.add(claim)
    if (holder !== null) lost.delete(holder)
  }
  return lost
}

/**
 * What two settlements have in common when they say the same. Claims under which nothing counts are no part of it: one
 * that is to go could make more of them, of which not all voters have heard.
 */
function sayingOf(settlement: Statement): string {
  const { holder, ended, restored = [] } = bodyOf(settlementKind, settlement)
  return canonicalText([holder, ended.filter(({ until }) => until !== null), restored])
}
