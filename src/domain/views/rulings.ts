import { canonicalText } from '../../protocol/json/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { bodyOf } from '../statements/kind.ts'
import { settlement as settlementKind } from '../statements/settlement.ts'
import { byTime, newestOf, type Statement } from '../statements/statement.ts'
import { groupBy } from './group-by.ts'
import type { Ruling } from './tenures.ts'

/** The ruling that follows from the founder's settlements of one repo. */
export function rulingBy(settlements: readonly Statement[]): Ruling | undefined {
  const newest = newestOf(settlements)
  if (newest === undefined) return undefined
  const { holder } = bodyOf(settlementKind, newest)
  const [ended, restored, lost] = [endedBy(newest), restoredBy(newest), claimsThatLost(settlements)]
  return { at: newest.at, holder, ended, restored, lost }
}

const endedBy = (settlement: Statement): Map<string, Stamp | null> =>
  new Map(bodyOf(settlementKind, settlement).ended.map(({ claim, until }) => [claim, until]))

const restoredBy = (settlement: Statement): Set<string> =>
  new Set(bodyOf(settlementKind, settlement).restored)

/**
 * The ruling on which more than half of the voters agree in their newest settlement, and at least two: in a project
 * of two, a single vote could take the founder's own repo. It takes effect when the majority was first reached:
 * otherwise a single voter could repeat its vote and so end a claim that was made since.
 */
export function rulingByVotes(
  votes: readonly Statement[],
  { keyOf, voters }: { readonly keyOf: (vote: Statement) => string; readonly voters: number },
): Ruling | undefined {
  const majority = Math.max(2, Math.floor(voters / 2) + 1)
  const current = [...groupBy(votes, keyOf).values()].map(currentVoteOf)
  if (current.length < majority) return undefined
  const agreeing = [...groupBy(current, ({ text }) => text).values()].find((same) => same.length >= majority)
  const decisive = agreeing?.map(({ first }) => first).sort(byTime)[majority - 1]
  if (agreeing === undefined || decisive === undefined) return undefined
  const { holder } = bodyOf(settlementKind, decisive)
  const named = agreeing.flatMap(({ newest }) => [...endedBy(newest)])
  const ended = new Map(
    [...groupBy(named, canonicalText).values()].flatMap((same) => (same.length >= majority ? same : [])),
  )
  return { at: decisive.at, holder, ended, restored: restoredBy(decisive), lost: new Set(ended.keys()) }
}

/** A voter's current vote, with the first and the newest statement of it since the voter last voted otherwise. */
function currentVoteOf(votes: readonly Statement[]) {
  const [newest, ...earlier] = [...votes].sort((a, b) => byTime(b, a)) as [Statement, ...Statement[]]
  const text = voteTextOf(newest)
  const otherwise = earlier.findIndex((one) => voteTextOf(one) !== text)
  const first = (otherwise === -1 ? earlier : earlier.slice(0, otherwise)).at(-1) ?? newest
  return { text, first, newest }
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
 * What two settlements must have in common to be the same vote. Ended claims under which nothing counts are left out:
 * the losing agent could make more of them, which not all voters would know.
 */
function voteTextOf(settlement: Statement): string {
  const { holder, ended, restored = [] } = bodyOf(settlementKind, settlement)
  return canonicalText([holder, ended.filter(({ until }) => until !== null), restored])
}
