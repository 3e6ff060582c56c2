import { Fault } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { ContractStatus, VerificationResult } from '../../protocol/words.ts'
import type { ContractForm } from '../model.ts'
import { work as workKind } from '../statements/work.ts'
import type { ContractEntity, WorkEntity } from '../views/entities.ts'
import { workForm } from './form.ts'
import type { GivenContract, GivenWork } from './given.ts'
import { shownFiles } from './phrase.ts'
import type { ShownVersion } from './versions.ts'
import type { PlainVoice } from './voice.ts'

export interface WorkSeen {
  readonly given: GivenContract
  readonly local: ContractEntity | undefined
  /** Its head last. */
  readonly versions: readonly ShownVersion[]
  /** What the peer was known to hold before, about whichever version. */
  readonly before: readonly ContractForm[]
  readonly voice: PlainVoice
}

/** Work of the peer's own repo that was done since it was last seen. */
export interface NewWork {
  readonly repo_id: string
  /** The statement that says so. */
  readonly work: string
  readonly revision: string
  readonly isComplete: boolean
}

/** The peer keeps the work on earlier versions, and shows that of others: neither is news. */
export function readWork(seen: WorkSeen): NewWork[] {
  return seen.given.implementations
    .filter((one) => seen.voice.holds(one.repo_id) && isNews(one, seen))
    .flatMap((one) => sayWork(one, seen))
}

function isNews(one: GivenWork, { local, before }: WorkSeen): boolean {
  // What is to be done again is told by whoever found that out.
  if (one.status === 'needs_revision' || one.status === 'pending') return false
  const form = workForm(one)
  if (before.some(({ work }) => work[one.repo_id] === form)) return false
  const time = timeOf(one)
  // The same may have been done again, after it failed.
  const isLater = ({ timestamp }: WorkEntity) => time !== undefined && time > timestamp
  return !ownWorks(local, one.repo_id).some((known) => workForm(asSaid(known)) === form && !isLater(known))
}

const timeOf = ({ status, started_at, completed_at }: GivenWork): Stamp | undefined =>
  (status === 'complete' ? completed_at : undefined) ?? started_at ?? undefined

function sayWork(one: GivenWork, seen: WorkSeen): NewWork[] {
  const { given, local, voice } = seen
  const { repo_id, files, plan, notes, test_endpoint } = one
  const isComplete = one.status === 'complete'
  const time = timeOf(one) ?? given.updated_at
  const version = versionAt(time, seen)
  if (version === undefined) return []
  const earlier = ownWorks(local, repo_id).find(({ revision }) => revision === version.id)
  const { id } = voice.say(repo_id, workKind, {
    about: given.contract_id,
    time,
    after: earlier?.timestamp,
    body: {
      revision: version.id,
      status: isComplete ? 'complete' : 'in_progress',
      started_at: one.started_at ?? earlier?.started_at ?? time,
      files: isComplete ? files : [],
      estimated_files: isComplete ? [...(earlier?.estimated_files ?? [])] : files,
    },
    content: { plan, notes, test_endpoint },
  })
  return [{ repo_id, work: id, revision: version.id, isComplete }]
}

/**
 * The version that was worked on. That is the head where the peer was known to have it already; where it came since, the
 * work may have been done before, and does not slide onto other content.
 */
function versionAt(time: Stamp, { versions, before }: WorkSeen): ShownVersion | undefined {
  const head = versions.at(-1)
  if (head === undefined || versions.length === 1 || before.some((form) => form.head === head.key))
    return head
  return versions.findLast(({ since }) => since < time) ?? versions[0]
}

const ownWorks = (local: ContractEntity | undefined, repoId: string): WorkEntity[] =>
  local?.history.works.filter(({ repo_id }) => repo_id === repoId) ?? []

/** As its author said it, whatever a verification made of it. */
const asSaid = (work: WorkEntity) => ({
  ...work,
  status: work.completed_at === null ? 'in_progress' : 'complete',
  files: shownFiles(work),
})

export interface Verdict {
  readonly result: VerificationResult
  readonly judged: readonly { readonly repo_id: string; readonly work: string }[]
}

/** What the peer found out about the work on what is in force, if that is news. */
export function readVerdict(
  { given, local, versions, before }: WorkSeen,
  done: readonly NewWork[],
): Verdict | undefined {
  const head = versions.at(-1)
  const inForce = local?.in_force
  if (local === undefined || inForce === undefined || head?.id !== inForce.revision.id) return undefined
  const known = before.filter((form) => form.head === head.key).map((form) => form.status)
  const judged = judgedBy(local, done)
  if (given.status === 'verified') {
    if (inForce.status === 'verified' || known.includes('verified')) return undefined
    const isComplete = (repoId: string) => judged.some((one) => one.repo_id === repoId && one.isComplete)
    const missing = inForce.revision.parties.find((repoId) => !isComplete(repoId))
    if (missing !== undefined)
      throw new Fault('unavailable', `It verified the work of repo ${missing}, which is not here yet`)
    return { result: 'success', judged: judged.map(({ repo_id, work }) => ({ repo_id, work })) }
  }
  const isFailed =
    given.status === 'agreed' && given.implementations.some(({ status }) => status === 'needs_revision')
  return isFailed && isDone(inForce.status) && known.some(isDone)
    ? { result: 'failure', judged: judged.map(({ repo_id, work }) => ({ repo_id, work })) }
    : undefined
}

const isDone = (status: ContractStatus): boolean => status === 'implemented' || status === 'verified'

function judgedBy({ works }: ContractEntity, done: readonly NewWork[]) {
  const byRepo = new Map(
    works.map(({ repo_id, id, completed_at }) => [
      repo_id,
      { repo_id, work: id, isComplete: completed_at !== null },
    ]),
  )
  for (const { repo_id, work, isComplete } of done) byRepo.set(repo_id, { repo_id, work, isComplete })
  return [...byRepo.values()]
}
