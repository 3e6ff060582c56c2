import { canonicalText } from '../../protocol/canonical.ts'
import { bodyOf } from '../statements/kind.ts'
import { settlement as settlementKind } from '../statements/settlement.ts'
import { byTime, newestOf, type Statement } from '../statements/statement.ts'
import { groupBy } from './group-by.ts'
import type { Ruling } from './tenures.ts'

/** What settlements of one repo by those who may say so come to. */
export function rulingBy(settlements: readonly Statement[]): Ruling | undefined {
  const newest = newestOf(settlements)
  if (newest === undefined) return undefined
  const { holder, ended } = bodyOf(settlementKind, newest)
  return {
    at: newest.at,
    holder,
    ended: new Map(ended.map(({ claim, until }) => [claim, until])),
    lost: claimsThatLost(settlements),
  }
}

/**
 * What more than half of the voters say alike in their newest word, though never a single one: it could take the
 * founder's own repo where there are only two.
 */
export function rulingByVotes(
  votes: readonly Statement[],
  { keyOf, voters }: { readonly keyOf: (vote: Statement) => string; readonly voters: number },
): Ruling | undefined {
  const newest = [...groupBy(votes, keyOf).values()].flatMap((ofKey) => newestOf(ofKey) ?? [])
  if (newest.length < 2) return undefined
  const agreeing = [...groupBy(newest, sayingOf).values()].find(
    (same) => same.length > 1 && 2 * same.length > voters,
  )
  return agreeing && rulingBy(agreeing)
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

/** What two settlements have in common when they say the same. */
function sayingOf(settlement: Statement): string {
  const { holder, ended } = bodyOf(settlementKind, settlement)
  return canonicalText([holder, ended])
}
