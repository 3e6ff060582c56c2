import { byTimestamp } from '../views/by.ts'
import type { ContractEntity, RevisionEntity } from '../views/entities.ts'

/** Most statements searched for one that has an effect. */
const MOST_SEARCHED = 50

/** What was said last, what happened by it in our own words, and the text that its author added. */
export function lastEvent(contract: ContractEntity) {
  const { revisions, answers, works, verifications } = contract.recent(MOST_SEARCHED)
  const events = [
    ...[contract.head, ...revisions].map((value) => ({
      value,
      did: describeRevision(value, contract.head),
      note: value.note,
    })),
    ...answers.map((value) => ({ value, did: RESPONDED[value.action], note: value.comment })),
    ...works.map((value) => ({
      value,
      did: `implementation ${value.status.replaceAll('_', ' ')}`,
      note: value.notes || value.plan,
    })),
    ...verifications.map((value) => ({ value, did: `verification: ${value.result}`, note: value.notes })),
  ]
  return events.reduce((last, one) => (byTimestamp(last.value, one.value) <= 0 ? one : last))
}

const RESPONDED = { agree: 'agreed', request_change: 'changes requested', reject: 'rejected' } as const

function describeRevision({ id, version, retire }: RevisionEntity, head: RevisionEntity): string {
  if (id !== head.id) return 'version changed elsewhere at the same time'
  if (retire) return 'proposed to be retired'
  return version === 1 ? 'proposed' : 'changed'
}

const MOST_SEARCHED_FOR_REPO = 500

/**
 * The newest revision that a repo proposed, answered, implemented or verified, and therefore knows. Otherwise the
 * parent of the head; undefined if there is neither.
 */
export function knownRevision(
  contract: ContractEntity,
  repoId: string | undefined,
): RevisionEntity | undefined {
  const { revisions, answers, works, verifications } = contract.recent(MOST_SEARCHED_FOR_REPO)
  const touched = new Set<string>()
  for (const one of [...answers, ...works, ...verifications])
    if (one.repo_id === repoId) touched.add(one.revision)
  const known = revisions.findLast(({ id, repo_id }) => repo_id === repoId || touched.has(id))
  return known ?? revisions.find(({ id }) => id === contract.head.parent)
}
