import { byTimestamp } from '../views/by.ts'
import type {
  AnswerEntity,
  ContractEntity,
  RevisionEntity,
  VerificationEntity,
  WorkEntity,
} from '../views/entities.ts'

/** The last thing that somebody did about a contract. */
type ContractEvent =
  | { readonly kind: 'revision'; readonly value: RevisionEntity }
  | { readonly kind: 'response'; readonly value: AnswerEntity }
  | { readonly kind: 'implementation'; readonly value: WorkEntity }
  | { readonly kind: 'verification'; readonly value: VerificationEntity }

/** Most statements searched for one that has an effect. */
const MOST_SEARCHED = 50

export function lastEvent(contract: ContractEntity): ContractEvent {
  const { revisions, answers, works, verifications } = contract.recent(MOST_SEARCHED)
  const events: ContractEvent[] = [
    { kind: 'revision', value: contract.head },
    ...revisions.map((value) => ({ kind: 'revision' as const, value })),
    ...answers.map((value) => ({ kind: 'response' as const, value })),
    ...works.map((value) => ({ kind: 'implementation' as const, value })),
    ...verifications.map((value) => ({ kind: 'verification' as const, value })),
  ]
  return events.reduce((last, one) => (byTimestamp(last.value, one.value) <= 0 ? one : last))
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

/** What happened, in our own words. */
export function describeEvent({ head }: ContractEntity, event: ContractEvent): string {
  switch (event.kind) {
    case 'revision': {
      const { id, version, retire } = event.value
      if (id !== head.id) return 'version changed elsewhere at the same time'
      if (retire) return 'proposed to be retired'
      return version === 1 ? 'proposed' : 'changed'
    }
    case 'response':
      return RESPONDED[event.value.action]
    case 'implementation':
      return `implementation ${event.value.status.replaceAll('_', ' ')}`
    case 'verification':
      return `verification: ${event.value.result}`
    default:
      return event satisfies never
  }
}

const RESPONDED = { agree: 'agreed', request_change: 'changes requested', reject: 'rejected' } as const

/** The text that its author added. */
export function noteOf(event: ContractEvent): string {
  switch (event.kind) {
    case 'revision':
      return event.value.note
    case 'response':
      return event.value.comment
    case 'implementation':
      return event.value.notes || event.value.plan
    case 'verification':
      return event.value.notes
    default:
      return event satisfies never
  }
}
