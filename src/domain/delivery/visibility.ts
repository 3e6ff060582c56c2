import { maySee, type Viewer } from '../lookup.ts'
import { hasLostContent, type Statement } from '../statements/statement.ts'
import type { ProjectView, View } from '../view.ts'
import type { RepoEntity } from '../views/entities.ts'

/** Which statements of a project are sent to a peer, also after the peer lost access to the project. */

/** Kinds that decide who holds a repo, each after those that it may cite. */
const HOLDER_KINDS = new Set(['claim', 'rotation', 'release', 'confirmation', 'settlement'])

/**
 * Whether a statement is sent to a peer. A peer that may not see the project any more still receives who took its
 * repo and by whose statement, so that it does not continue in vain. That may be its own statement, if it was
 * restored from a backup.
 */
export const maySendStatement = (found: ProjectView, viewer: Viewer, { kind, about }: Statement): boolean =>
  maySee(found, viewer) || (HOLDER_KINDS.has(kind) && hasClaimed(viewer, found.repos.get(about)))

/** All statements of a project that are sent to a peer that may not see it. */
export function* statementsForNonMember({ repos, said }: ProjectView, viewer: Viewer): Iterable<Statement> {
  for (const repo of repos.oldestFirst())
    if (hasClaimed(viewer, repo)) for (const kind of HOLDER_KINDS) yield* said.saidAbout(repo.repo_id, kind)
}

const hasClaimed = ({ pinned }: Viewer, repo: RepoEntity | undefined): boolean =>
  pinned !== undefined && repo?.claims.some(({ speaks_by }) => speaks_by.key === pinned.key) === true

/**
 * What has to be sent together with a statement that has lost its content, because nobody takes it in without: one of its
 * redactions, after the rotations that introduced the key of that redaction. A peer that got the statement alone would
 * keep it in memory until the redaction comes, and forget it if it were killed meanwhile.
 */
export function redactionWith(statement: Statement, { projects }: Pick<View, 'projects'>): Statement[] {
  if (!hasLostContent(statement)) return []
  const said = projects.get(statement.project_id)?.said
  const [redaction] = said?.redactionsOf(statement.id) ?? []
  const chain: Statement[] = []
  for (let one = redaction; one !== undefined && one.kind !== 'claim'; one = said?.fact(one.under ?? ''))
    chain.unshift(one)
  return chain
}
