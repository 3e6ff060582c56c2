import { defined } from '../../protocol/collections/defined.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { type JudgedRepo, judgeRepos } from '../contract/repo-review.ts'
import { placed } from '../contract/review-text.ts'
import type { Change } from '../interface/model.ts'
import { quoted } from '../names/quoted.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, RepoEntity } from '../views/entities.ts'
import type { InboxItem, ItemReview } from './item-shape.ts'
import { asRead, onContract } from './item-text.ts'

type OwnBreak = ItemReview['breaks'][number]

const MOST_BREAKS = 3
/** Most characters of a place, with a sentence about it, and of a site. */
const PLACE_LENGTH = 120
const SENTENCE_LENGTH = 240
const SITE_LENGTH = 120

/** The item with what the version does to the repo; as it is where nothing can be said about that. */
export function withReview(item: InboxItem, found: ProjectView, repoId: string): InboxItem {
  const subject = subjectOf(item, found, repoId)
  const review = subject && reviewFor(item, found, subject)
  return review === undefined ? item : { ...item, why: `${item.why}; ${clauseOf(review)}`, review }
}

/** Whether contents have to be compared for that, which takes its time. */
export function needsComparing(item: InboxItem, found: ProjectView, repoId: string): boolean {
  const subject = subjectOf(item, found, repoId)
  return subject !== undefined && known.get(subject.contract)?.has(subject.repo) !== true
}

interface Subject {
  readonly contract: ContractEntity
  readonly repo: RepoEntity
}

/** A change of what is in force, and who has to answer it. */
function subjectOf(item: InboxItem, found: ProjectView, repoId: string): Subject | undefined {
  const { kind, about, change } = item
  if (kind !== 'answer_contract' || change === undefined) return undefined
  const [contract, repo] = [found.contracts.get(about.id), found.repos.get(repoId)]
  if (contract === undefined || repo === undefined) return undefined
  // The state may have moved on since the item was found.
  const isSame =
    contract.in_force?.revision.version === change.from && contract.head.version === about.version
  return isSame ? { contract, repo } : undefined
}

const known = new WeakMap<ContractEntity, WeakMap<RepoEntity, ItemReview | null>>()

/** Entities never change, so that one review of a contract as it stands serves every look at it. */
function reviewFor(item: InboxItem, found: ProjectView, { contract, repo }: Subject): ItemReview | undefined {
  const byRepo = known.get(contract) ?? new WeakMap<RepoEntity, ItemReview | null>()
  known.set(contract, byRepo)
  const before = byRepo.get(repo)
  if (before !== undefined) return before ?? undefined
  const { head } = contract
  const [judged] = judgeRepos({ found, contract, after: head, author: head.repo_id, only: repo.repo_id })
  const made = judged && reviewOf(judged, item)
  byRepo.set(repo, made ?? null)
  return made
}

function reviewOf({ impacts, review }: JudgedRepo, item: InboxItem): ItemReview {
  const { verdict, against, because, site, missing, next, accepted = [] } = review
  const isAccepted = (fingerprint: string) => accepted.some((one) => one.fingerprint === fingerprint)
  const open = [...impacts]
    .filter(([{ fingerprint }, likely]) => likely === 'yes' && !isAccepted(fingerprint))
    .map(([change]) => ownBreak(change, change.fingerprint === because[0] ? site : undefined))
    .sort((a, b) => Number(b.site !== undefined) - Number(a.site !== undefined))
  return {
    verdict,
    against,
    breaks: open.slice(0, MOST_BREAKS),
    ...(open.length > MOST_BREAKS ? { more: open.length - MOST_BREAKS } : {}),
    ...(missing === undefined
      ? {}
      : { missing: next === undefined ? quoted(missing, SENTENCE_LENGTH) : ownWord(missing, review.repo) }),
    ...(open.length > 0 && {
      accept: responding(item, { action: 'agree', accepts: 'all' }),
      object: responding(item, { action: 'request_change', comment: PLACEHOLDER }, ['comment']),
    }),
    ...defined({ expect: next }),
  }
}

const ownBreak = ({ at, kind, say, fingerprint }: Change, site: string | undefined): OwnBreak => ({
  at,
  kind,
  say,
  fingerprint,
  ...defined({ site }),
})

/** What a repo has not said: its name comes first, which others may have given it. */
const ownWord = (missing: string, repo: string): string =>
  `${IS_PLAIN_NAME.test(repo) ? repo : quoted(repo, PLACE_LENGTH)}${missing.slice(repo.length)}`

const IS_PLAIN_NAME = /^[\w.@-]{1,100}$/

const responding = (item: InboxItem, params: JsonObject, fill?: readonly string[]): NextCall =>
  onContract('cacp/contract/respond', item, { ...asRead(item), ...params }, fill)

/** Such as `it breaks this repo: «response.200.body.email» is gone (src/api/user.ts:41)`. */
function clauseOf(review: ItemReview): string {
  const { verdict, against, missing } = review
  if (verdict === 'compatible') return `compatible with version ${against.version}`
  if (verdict === 'unknown') return `unknown: ${missing ?? 'what this repo uses of it'}`
  const broken = brokenText(review)
  return broken === undefined
    ? 'it breaks this repo only by what it has accepted'
    : `it breaks this repo: ${broken}; agree with accepts to take that on, or request_change`
}

/** What breaks this repo, in few words; undefined where nothing does that it has not accepted. */
export function brokenText({ breaks, more = 0 }: ItemReview): string | undefined {
  const [first] = breaks
  if (first === undefined) return undefined
  const others = breaks.length - 1 + more
  const where = first.site === undefined ? '' : ` (${siteText(first.site)})`
  return `${whatBreaks(first)}${where}${others > 0 ? ` and ${others} more` : ''}`
}

/** Values of others can stand in a sentence, so that all of it is quoted where it is more than a place. */
const whatBreaks = ({ at, kind, say }: OwnBreak): string =>
  at !== '' && GONE.has(kind)
    ? `${quoted(at, PLACE_LENGTH)} is gone`
    : quoted(placed({ at, say }), SENTENCE_LENGTH)

const GONE = new Set(['property-removed', 'slot-removed', 'operation-removed', 'definition-removed'])

const siteText = (site: string): string =>
  /^[\w./@-]{1,120}:\d{1,9}$/.test(site) ? site : quoted(site, SITE_LENGTH)
