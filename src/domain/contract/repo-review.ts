import { defined } from '../../protocol/collections/defined.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { shown } from '../interface/judge/shown.ts'
import { impactOf } from '../interface/judge/verdict.ts'
import {
  type Change,
  type Expectation,
  type Likely,
  MOST_CHANGES,
  type Tolerance,
  type Verdict,
} from '../interface/model.ts'
import { readInterface } from '../interface/review.ts'
import { usedPlaces } from '../interface/uses/used.ts'
import { overlaps } from '../interface/uses/within.ts'
import { listed } from '../names/listed.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, ExpectationEntity, RevisionEntity } from '../views/entities.ts'
import { onContract } from './advice.ts'
import { type Compared, compareSides, type Side } from './compare-sides.ts'
import type { AcceptedChange, RepoReview } from './review-shape.ts'
import { type Consumer, consumersOf } from './side.ts'

/** A repo with the changes of what it is compared with, and how likely each hurts it. */
export type JudgedRepo = ReturnType<typeof judgeRepo>

interface Impact {
  readonly change: Change
  readonly likely: Likely
}

export interface RepoQuestion {
  readonly found: ProjectView
  readonly contract: ContractEntity
  readonly after: Side
  /** What all repos are compared with, instead of what each of them has. */
  readonly before?: RevisionEntity | undefined
  /** This repo alone is looked at. */
  readonly only?: string | undefined
  /** The repo that proposes it, which knows what it does. */
  readonly author?: string | undefined
  /** The contract with what was said since, if that is another one. */
  readonly now?: ContractEntity | undefined
}

/** What a change does to each repo that consumes the contract: its parties, and whoever said what it uses. */
export function judgeRepos(question: RepoQuestion) {
  const { found, contract, author, only, before } = question
  const inForce = before ?? contract.in_force?.revision
  if (inForce === undefined) return []
  // A party of the new version alone has nothing yet that could be hurt.
  return consumersOf(found, contract, inForce)
    .filter(({ repo: { repo_id: id } }) => id !== author && id === (only ?? id))
    .sort((a, b) => (a.repo.name < b.repo.name ? -1 : 1))
    .map((consumer) => {
      const baseline = before ?? implementedBy(contract, consumer.repo.repo_id) ?? inForce
      return judgeRepo(question, { ...consumer, baseline })
    })
}

interface Asked extends Consumer {
  readonly baseline: RevisionEntity
}

function judgeRepo(question: RepoQuestion, asked: Asked) {
  const { contract, after, now = contract } = question
  const { repo, side, baseline, expectation } = asked
  const compared = compareSides(contract.type, baseline, after)
  const expected = expectedOf(contract.type, asked, after)
  const impacts = compared.changes.map((change) => ({
    change,
    likely: impactOf(change, 'consumer', expected),
  }))
  const verdict = verdictOf(impacts, compared)
  const causes = impacts.filter(({ likely }) => (verdict === 'breaking' ? likely === 'yes' : likely !== 'no'))
  const sited = causes.slice(0, MOST_SITED).find(({ change }) => siteOf(change, expectation) !== undefined)
  // The site is that of the first.
  const because = sited === undefined ? causes : [sited, ...causes.filter((one) => one !== sited)]
  const accepted = acceptedOf(because, acceptedBy(now, repo.repo_id, baseline))
  const site = sited && siteOf(sited.change, expectation)
  const review: RepoReview = {
    repo: repo.name,
    side,
    against: { version: baseline.version },
    verdict,
    because: because.slice(0, MOST_CHANGES).map(({ change }) => change.fingerprint),
    ...defined({ site }),
    ...(verdict === 'unknown' ? missingOf(question, asked, { because, compared }) : {}),
    ...(accepted.length === 0 ? {} : { accepted }),
  }
  const likelihoods = new Map(impacts.map(({ change, likely }) => [change, likely]))
  return { repoId: repo.repo_id, review, baseline, impacts: likelihoods }
}

/** What a repo that said nothing uses is all of it, and it tolerates nothing that it need not. */
function expectedOf(type: string, { expectation, baseline }: Asked, after: Side): Expectation {
  const tolerates = expectation?.tolerates ?? []
  if (expectation === undefined || baseline.content === null || after.content === null)
    return { uses: null, tolerates }
  const [before, now] = [readInterface(type, baseline.content), readInterface(type, after.content)]
  return { tolerates, ...usedPlaces(expectation.uses, before, now) }
}

function verdictOf(impacts: readonly Impact[], { unread, changes }: Compared): Verdict {
  if (impacts.some(({ likely }) => likely === 'yes')) return 'breaking'
  const isOpen =
    impacts.some(({ likely }) => likely !== 'no') || (unread !== undefined && changes.length === 0)
  return isOpen ? 'unknown' : 'compatible'
}

/** The newest version that a repo implemented; undefined if none is known. */
export function implementedBy(contract: ContractEntity, repoId: string): RevisionEntity | undefined {
  const { in_force, works } = contract
  const isDone = (work: { readonly repo_id: string; readonly completed_at: Stamp | null }) =>
    work.repo_id === repoId && work.completed_at !== null
  if (in_force === undefined || in_force.revision.version === 1 || works.some(isDone)) return undefined
  return contract.implementedBy(repoId)
}

/** What a repo accepted of the changes of this version, and which agent said so; of each the newest word. */
function acceptedBy(contract: ContractEntity, repoId: string, baseline: RevisionEntity): AcceptedChange[] {
  const accepted = new Map<string, AcceptedChange>()
  for (const { accepts, agent_id, timestamp } of contract.acceptances(repoId, baseline.id))
    for (const fingerprint of accepts) accepted.set(fingerprint, { fingerprint, by: agent_id, at: timestamp })
  return [...accepted.values()]
}

/** What was accepted and is still among the causes. */
function acceptedOf(because: readonly Impact[], said: readonly AcceptedChange[]): readonly AcceptedChange[] {
  if (said.length === 0) return said
  const causes = new Set(because.map(({ change }) => change.fingerprint))
  return said.filter(({ fingerprint }) => causes.has(fingerprint))
}

/** Most changes of which it is looked up where a repo uses them. */
const MOST_SITED = 100

const siteOf = ({ at }: Change, expectation: ExpectationEntity | undefined): string | undefined =>
  Object.entries(expectation?.sites ?? {}).find(([use]) => overlaps(at, use))?.[1]

const MOST_PLACES_NAMED = 3

function missingOf(
  question: RepoQuestion,
  { repo, expectation }: Asked,
  { because, compared }: { readonly because: readonly Impact[]; readonly compared: Compared },
): Pick<RepoReview, 'missing' | 'next'> {
  if (compared.unread !== undefined) return { missing: compared.unread }
  const unsure = because.find(({ likely }) => likely === 'unsure')?.change
  if (unsure !== undefined)
    return { missing: `nobody can tell whether «${placeOf(unsure)}» still fits: ${unsure.say}` }
  const places = because.map(({ change }) => `«${placeOf(change)}»`)
  const where = listed(places, MOST_PLACES_NAMED)
  const tolerances = [...new Set(because.flatMap(({ change }) => change.tolerance ?? []))]
  if (because.some(({ change }) => change.tolerance === undefined))
    return {
      missing: `${repo.name} has not said whether it uses ${where}`,
      next: onContract(question, 'cacp/contract/expect', { uses: [PLACEHOLDER] }, ['uses']),
    }
  const tolerates: Tolerance[] = [...(expectation?.tolerates ?? []), ...tolerances]
  return {
    missing: `${repo.name} has not said whether it tolerates ${tolerances.join(' and ')} in ${where}`,
    next: onContract(question, 'cacp/contract/expect', { tolerates }),
  }
}

const placeOf = ({ at }: Change): string => shown(at === '' ? 'all of it' : at)
