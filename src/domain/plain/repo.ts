import { Fault } from '../../protocol/fault.ts'
import { canonicalText } from '../../protocol/json/canonical.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { RepoForm, Shadow } from '../model.ts'
import { description as descriptionKind } from '../statements/description.ts'
import { release as releaseKind } from '../statements/release.ts'
import { repo as repoKind } from '../statements/repo.ts'
import type { RepoEntity } from '../views/entities.ts'
import { ownRepoForm, repoForm } from './form.ts'
import type { GivenRepo } from './given.ts'
import { forAnother, type PlainVoice } from './voice.ts'

export interface RepoSeen {
  /** By which it goes here. */
  readonly id: string
  readonly local: RepoEntity | undefined
  readonly shadow: Shadow | undefined
  readonly voice: PlainVoice
  readonly newest: Stamp | undefined
  /** How many were named or claimed by what this daemon heard, with this one. */
  readonly count: number
}

/** What a plain peer says of a repo: that there is one, that it holds it or holds it no more, and what it is like. */
export function readRepo(given: GivenRepo, seen: RepoSeen): void {
  const { id, local, shadow, voice } = seen
  const form = repoForm(given)
  const before = [shadow?.shown, shadow?.sent].filter((one): one is RepoForm => one?.kind === 'repo')
  if (local === undefined) nameRepo(given, seen, form)
  const isItsOwn = ({ agent }: RepoForm) => agent === voice.agentId
  if (isItsOwn(form) && local?.holder === undefined && !before.some(isItsOwn)) {
    voice.claim(local?.name ?? given.name, form.endpoint)
    if (local === undefined && voice.asFounder === undefined) describe(form, seen)
  } else if (voice.holds(id) && form.agent === null && before.length > 0 && before.every(isItsOwn))
    voice.say(id, releaseKind, { about: id, after: seen.newest, body: {} })
  else if (voice.holds(id)) describeAnew(isItsOwn(form) ? form : reachedAs(form, local), before, seen)
  const isKnown = form.agent === null || isItsOwn(form) || hasClaimed(local, form.agent)
  if (!isKnown) throw forAnother(voice.agentId, `make the claim of ${form.agent}`)
}

/** Of others it may only have heard late what is over here. */
const hasClaimed = (local: RepoEntity | undefined, agentId: string): boolean =>
  local?.claims.some(({ agent_id }) => agent_id === agentId) === true

function nameRepo({ name }: GivenRepo, { id, voice, count }: RepoSeen, { about, agent }: RepoForm): void {
  if (count > LIMITS.repos)
    throw new Fault(
      'too_large',
      `repos: at most ${LIMITS.repos} of a project are taken from here, and ${name} is one more`,
    )
  const by = voice.naming
  if (by !== undefined)
    voice.sayBy(by, repoKind, { about: id, time: by.since, body: { name, ...paths(about) } })
  else if (agent !== voice.agentId) throw forAnother(voice.agentId, `name repo ${name}`)
}

function describe({ about, endpoint }: RepoForm, { id, voice, newest }: RepoSeen): void {
  voice.say(id, descriptionKind, { about: id, after: newest, body: { ...paths(about), endpoint } })
}

/** Another daemon may have told it what is known here as well. */
function describeAnew(form: RepoForm, before: readonly RepoForm[], seen: RepoSeen): void {
  if (before.length === 0 || seen.local === undefined) return
  const saying = ({ about, endpoint }: RepoForm) => canonicalText([about, endpoint])
  if (![...before, ownRepoForm(seen.local)].some((known) => saying(known) === saying(form)))
    describe(form, seen)
}

/** An endpoint that it shows with another one's claim is that one's, whoever wrote that over its own. */
const reachedAs = (form: RepoForm, local: RepoEntity | undefined): RepoForm => ({
  ...form,
  endpoint: local === undefined ? null : ownRepoForm(local).endpoint,
})

const paths = <About extends { readonly relevant_paths: readonly string[] }>(about: About) => ({
  ...about,
  relevant_paths: [...about.relevant_paths],
})
