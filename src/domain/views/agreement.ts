import { compareText } from '../../protocol/canonical.ts'
import { bodyOf } from '../statements/kind.ts'
import { builtOn, revision as revisionKind } from '../statements/revision.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { groupBy } from './group-by.ts'
import type { Speakers } from './speakers.ts'

/** One version of a contract, with who has to agree to it and who did. */
export interface Standing {
  readonly statement: Statement
  readonly version: number
  readonly author: string
  /** Repos that have to implement it. */
  readonly parties: readonly string[]
  /** Repos that have to agree to it. */
  readonly needed: readonly string[]
  /** By repo, oldest first; only of those whose answer it needs. */
  readonly answers: ReadonlyMap<string, readonly Statement[]>
  readonly isAgreed: boolean
  /** Those that must not be written out by a change: of the newest versions below that were agreed, the parties. */
  readonly heritage: ReadonlySet<string>
}

export interface Negotiation {
  readonly revisions: readonly Statement[]
  readonly answers: readonly Statement[]
  readonly speakers: Speakers
  /** Whether a repo still belongs to the project: one that was removed is not waited for. */
  readonly isPresent: (repoId: string) => boolean
}

/**
 * The versions of a contract that count, in order of precedence: the document's rule (version, then time), and the id,
 * without which two replicas could differ for ever. One counts when its author speaks for a party of
 * what it builds on, and that counts. Each looks only at lower versions, so that the order of arrival has no say.
 */
export function standingsOf({ revisions, answers, speakers, isPresent }: Negotiation): Standing[] {
  const answersTo = groupBy(answers, ({ body }) => String(body['revision']))
  const found = new Map<string, Standing>()
  const ordered = revisions
    .map((statement) => ({ statement, body: bodyOf(revisionKind, statement) }))
    .sort((a, b) => a.body.version - b.body.version || byTime(a.statement, b.statement))
  for (const { statement, body } of ordered) {
    const { repo_id: author, counts } = speakers.wordOf(statement)
    const below = builtOn(body).map((id) => found.get(id))
    if (!counts || author === null || !below.every((one) => one !== undefined)) continue
    if (below.length > 0 && !below.some((one) => isParty(one, author))) continue
    const heritage = union(below.map((one) => one.heritage))
    const parties = [...new Set(body.parties)].filter(isPresent).sort(compareText)
    const needed = [...union([new Set(parties), heritage])].filter(isPresent).sort(compareText)
    const given = answersBy(answersTo.get(statement.id) ?? [], speakers, new Set([...needed, author]))
    const isAgreed = isAgreedBy(given, { needed, author })
    found.set(statement.id, {
      statement,
      version: body.version,
      author,
      parties,
      needed,
      answers: given,
      isAgreed,
      heritage: isAgreed ? new Set(parties) : heritage,
    })
  }
  return [...found.values()]
}

/** Whether a repo may answer this version, change it, implement and verify it. Whoever is needed is a party, too. */
export const isParty = ({ needed, author }: Standing, repoId: string): boolean =>
  author === repoId || needed.includes(repoId)

/** Everybody whose word it needs said agree; the author says so by writing it, unless there is nobody else to say it. */
function isAgreedBy(
  answers: ReadonlyMap<string, readonly Statement[]>,
  { needed, author }: Pick<Standing, 'needed' | 'author'>,
): boolean {
  const saysYes = (repoId: string) =>
    answers.get(repoId)?.some(({ body }) => body['action'] === 'agree') === true
  const others = needed.filter((repoId) => repoId !== author)
  return others.length === 0 ? saysYes(author) : others.every(saysYes)
}

function answersBy(
  answers: readonly Statement[],
  speakers: Speakers,
  from: ReadonlySet<string>,
): Map<string, Statement[]> {
  const given = new Map<string, Statement[]>()
  for (const one of [...answers].sort(byTime)) {
    const { repo_id, counts } = speakers.wordOf(one)
    if (!counts || repo_id === null || !from.has(repo_id)) continue
    const before = given.get(repo_id)
    if (before === undefined) given.set(repo_id, [one])
    else before.push(one)
  }
  return given
}

/** The same set where there is only one, as on every branch that was not brought together with another. */
function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = sets
  if (others.every((set) => set === first || set.size === 0)) return first
  return new Set(sets.flatMap((set) => [...set]))
}
