import { compareText } from '../../protocol/json/canonical.ts'
import { bodyOf } from '../statements/kind.ts'
import { builtOn, revision as revisionKind } from '../statements/revision.ts'
import type { Statement } from '../statements/statement.ts'
import type { Tally } from './tally.ts'

/** One version of a contract, with who has to agree to it and whether they did. */
export interface Standing {
  readonly statement: Statement
  readonly version: number
  /** The repo that wrote it. */
  readonly author: string
  /** Repos that have to implement it. */
  readonly parties: readonly string[]
  /** Repos that have to agree to it: its parties, and those that a change of what was agreed must not write out. */
  readonly needed: readonly string[]
  readonly isAgreed: boolean
  /** Whom a change of this version must not write out: the parties of what was last agreed on its way, or else its first author. */
  readonly heritage: ReadonlySet<string>
  readonly tally: Tally
  readonly below: readonly Standing[]
}

export interface Version {
  readonly statement: Statement
  readonly author: string
  readonly tally: Tally
  /** The version of that statement, if it counts. */
  readonly standingOf: (id: string) => Standing | undefined
  /** Whether a repo still belongs to the project: one that was removed is not waited for. */
  readonly isPresent: (repoId: string) => boolean
}

/**
 * How a version stands; undefined when it has no effect, because its author is no party of what it builds on, or that
 * has none itself. It looks at lower versions only, so that the order of arrival has no say.
 */
export function standingOf({
  statement,
  author,
  tally,
  standingOf,
  isPresent,
}: Version): Standing | undefined {
  const body = bodyOf(revisionKind, statement)
  const below: Standing[] = []
  for (const id of builtOn(body)) {
    const one = standingOf(id)
    if (one === undefined) return undefined
    below.push(one)
  }
  if (below.length > 0 && !below.some((one) => isParty(one, author))) return undefined
  const inherited = union(below.map(({ heritage }) => heritage))
  const parties = [...new Set(body.parties)].filter(isPresent).sort(compareText)
  const needed = [...new Set([...parties, ...inherited])].filter(isPresent).sort(compareText)
  const isAgreed = isAgreedBy(tally, { needed, author })
  const heritage = isAgreed ? new Set(parties) : below.length === 0 ? new Set([author]) : inherited
  return { statement, version: body.version, author, parties, needed, isAgreed, heritage, tally, below }
}

/** Whether a repo may answer this version, change it, implement and verify it. */
export const isParty = ({ needed, author }: Standing, repoId: string): boolean =>
  author === repoId || needed.includes(repoId)

/** Everybody whose word it needs said agree; the author says so by writing it, unless there is nobody else to say it. */
function isAgreedBy({ answers }: Tally, { needed, author }: Pick<Standing, 'needed' | 'author'>): boolean {
  const saysYes = (repoId: string) => answers.get(repoId)?.hasAgreed === true
  const others = needed.filter((repoId) => repoId !== author)
  return others.length === 0 ? saysYes(author) : others.every(saysYes)
}

/** Repos whose newest answer is no. A later no unseats nothing that was agreed, but it stands until it is met. */
export const objectorsTo = (standing: Standing): string[] =>
  [...standing.tally.answers]
    .filter(([repoId, { newest }]) => newest.body['action'] !== 'agree' && isParty(standing, repoId))
    .map(([repoId]) => repoId)
    .sort(compareText)

/** The same set where there is only one, as on every branch that was not brought together with another. */
function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = sets
  return others.length === 0 ? first : new Set(sets.flatMap((set) => [...set]))
}
