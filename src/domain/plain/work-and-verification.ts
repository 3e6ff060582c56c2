import { Fault } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { ContractStatus } from '../../protocol/words.ts'
import { reportedFiles } from '../render.ts'
import { work as workKind } from '../statements/work.ts'
import type { ContractEntity, VerificationEntity, WorkEntity } from '../views/entities.ts'
import { workForm } from './form.ts'
import type { GivenWork } from './given.ts'
import type { PeerVersion, ReceivedContract } from './versions.ts'

interface WorkInput extends ReceivedContract {
  /** The head last. */
  readonly versions: readonly PeerVersion[]
}

/** Work by the peer's own repo that is new here. */
type NewWork = ReturnType<typeof sayWork>[number]

/** Reports new work by the peer's repo. Work on earlier versions and by others, which it sends too, is no news. */
export function readWork(seen: WorkInput): NewWork[] {
  return seen.given.implementations
    .filter((one) => seen.reporter.holds(one.repo_id) && isNews(one, seen))
    .flatMap((one) => sayWork(one, seen))
}

function isNews(one: GivenWork, { local, before }: WorkInput): boolean {
  // A failed verification, and not the work itself, says that work has to be revised.
  if (one.status === 'needs_revision' || one.status === 'pending') return false
  const form = workForm(one)
  if (before.some(({ work }) => work[one.repo_id] === form)) return false
  const time = timeOf(one)
  // The same work may have been done again after it failed.
  const isLater = ({ timestamp }: WorkEntity) => time !== undefined && time > timestamp
  return !ownWorks(local, one.repo_id).some(
    (known) => workForm(asReported(known)) === form && !isLater(known),
  )
}

const timeOf = ({ status, started_at, completed_at }: GivenWork): Stamp | undefined =>
  (status === 'complete' ? completed_at : undefined) ?? started_at ?? undefined

/** `work` is the id of its statement. */
function sayWork(one: GivenWork, seen: WorkInput) {
  const { given, local, reporter } = seen
  const { repo_id, files, plan, notes, test_endpoint } = one
  const isComplete = one.status === 'complete'
  const time = timeOf(one) ?? given.updated_at
  const version = versionAt(time, seen)
  if (version === undefined) return []
  const earlier = ownWorks(local, repo_id).find(({ revision }) => revision === version.id)
  const { id } = reporter.say(repo_id, workKind, {
    about: given.contract_id,
    time,
    after: earlier?.timestamp,
    body: {
      revision: version.id,
      status: isComplete ? 'complete' : 'in_progress',
      started_at: one.started_at ?? earlier?.started_at ?? time,
      files: isComplete ? files : [],
      estimated_files: isComplete ? (earlier?.estimated_files ?? []) : files,
    },
    content: { plan, notes, test_endpoint },
  })
  return [{ repo_id, work: id, revision: version.id, isComplete }]
}

/**
 * The version that was worked on: the head, if the peer was known to have it. If the head is new, the work may have
 * been done before it, and must not be attributed to other content.
 */
function versionAt(time: Stamp, { versions, before }: WorkInput): PeerVersion | undefined {
  const head = versions.at(-1)
  if (head === undefined || versions.length === 1 || before.some((form) => form.head === head.key))
    return head
  return versions.findLast(({ since }) => since < time) ?? versions[0]
}

const ownWorks = (local: ContractEntity | undefined, repoId: string): WorkEntity[] =>
  local?.history.works.filter(({ repo_id }) => repo_id === repoId) ?? []

/** The work as its author reported it, regardless of verifications. */
const asReported = (work: WorkEntity) => ({
  ...work,
  status: work.completed_at === null ? 'in_progress' : 'complete',
  files: reportedFiles(work),
})

export type Verdict = Pick<VerificationEntity, 'result' | 'judged'>

/** The peer's verification of the work on the revision in force, if it is new. */
export function readVerdict(
  { given, local, versions, before }: WorkInput,
  done: readonly NewWork[],
): Verdict | undefined {
  const head = versions.at(-1)
  const inForce = local?.in_force
  if (local === undefined || inForce === undefined || head?.id !== inForce.revision.id) return undefined
  const known = before.filter((form) => form.head === head.key).map((form) => form.status)
  const works = new Map(
    local.works.map(({ repo_id, id, completed_at }) => [
      repo_id,
      { work: id, isComplete: completed_at !== null },
    ]),
  )
  for (const one of done) works.set(one.repo_id, one)
  const judged = Array.from(works, ([repo_id, { work }]) => ({ repo_id, work }))
  if (given.status === 'verified') {
    if (inForce.status === 'verified' || known.includes('verified')) return undefined
    const missing = inForce.revision.parties.find((repoId) => works.get(repoId)?.isComplete !== true)
    if (missing !== undefined)
      throw new Fault('unavailable', `It verified the work of repo ${missing}, which is not here yet`)
    return { result: 'success', judged }
  }
  const isFailed =
    given.status === 'agreed' && given.implementations.some(({ status }) => status === 'needs_revision')
  return isFailed && isDone(inForce.status) && known.some(isDone) ? { result: 'failure', judged } : undefined
}

const isDone = (status: ContractStatus): boolean => status === 'implemented' || status === 'verified'
