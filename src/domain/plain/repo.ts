import { Fault } from '../../protocol/fault.ts'
import { canonicalText } from '../../protocol/json/canonical.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { RepoForm } from '../model.ts'
import { description as descriptionKind } from '../statements/description.ts'
import { release as releaseKind } from '../statements/release.ts'
import { repo as repoKind } from '../statements/repo.ts'
import type { RepoEntity } from '../views/entities.ts'
import { ownRepoForm, repoForm } from './form.ts'
import type { GivenRepo } from './given.ts'
import { notForAnother, type PlainPeerReporter } from './reporter.ts'

interface RepoInput {
  /** The repo's id here. */
  readonly id: string
  readonly local: RepoEntity | undefined
  /** The forms of it that the peer was known to hold before. */
  readonly before: readonly RepoForm[]
  readonly reporter: PlainPeerReporter
  readonly newest: Stamp | undefined
  /** How many repos this daemon has named or claimed on behalf of plain peers, this one included. */
  readonly count: number
}

/** Reports what a plain peer says about a repo: that there is one, who holds or released it, and its description. */
export function readRepo(given: GivenRepo, seen: RepoInput): void {
  const { id, local, before, reporter } = seen
  const form = repoForm(given)
  if (local === undefined) nameRepo(given, seen, form)
  const isItsOwn = ({ agent }: RepoForm) => agent === reporter.agentId
  if (isItsOwn(form) && local?.holder === undefined && !before.some(isItsOwn)) {
    reporter.claim(local?.name ?? given.name, form.endpoint)
    if (local === undefined && reporter.asFounder() === undefined) describe(form, seen)
  } else if (reporter.holds(id) && form.agent === null && before.length > 0 && before.every(isItsOwn))
    reporter.say(id, releaseKind, { about: id, after: seen.newest, body: {} })
  else if (reporter.holds(id)) describeAnew(isItsOwn(form) ? form : withOwnEndpoint(form, local), seen)
  const isKnown = form.agent === null || isItsOwn(form) || hasClaimed(local, form.agent)
  if (!isKnown) throw notForAnother(reporter.agentId, `make the claim of ${form.agent}`)
}

/** The peer may have old information about agents that claimed the repo before. */
const hasClaimed = (local: RepoEntity | undefined, agentId: string): boolean =>
  local?.claims.some(({ agent_id }) => agent_id === agentId) === true

function nameRepo({ name }: GivenRepo, { id, reporter, count }: RepoInput, { about, agent }: RepoForm): void {
  if (count > LIMITS.repos)
    throw new Fault(
      'too_large',
      `repos: at most ${LIMITS.repos} of a project are taken from here, and ${name} is one more`,
    )
  const by = reporter.naming()
  if (by !== undefined) reporter.sayBy(by, repoKind, { about: id, time: by.since, body: { name, ...about } })
  else if (agent !== reporter.agentId) throw notForAnother(reporter.agentId, `name repo ${name}`)
}

function describe({ about, endpoint }: RepoForm, { id, reporter, newest }: RepoInput): void {
  reporter.say(id, descriptionKind, { about: id, after: newest, body: { ...about, endpoint } })
}

/** Says nothing if the description is the one known here, which another daemon may have sent to the peer. */
function describeAnew(form: RepoForm, seen: RepoInput): void {
  const { before, local } = seen
  if (before.length === 0 || local === undefined) return
  const saying = ({ about, endpoint }: RepoForm) => canonicalText([about, endpoint])
  if (![...before, ownRepoForm(local)].some((known) => saying(known) === saying(form))) describe(form, seen)
}

/** An endpoint that stands beside another agent's claim is that agent's, and no description of this repo. */
const withOwnEndpoint = (form: RepoForm, local: RepoEntity | undefined): RepoForm => ({
  ...form,
  endpoint: local === undefined ? null : ownRepoForm(local).endpoint,
})
