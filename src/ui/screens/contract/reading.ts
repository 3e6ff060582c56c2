import type { ResultOf } from '../../../methods/table.ts'

/** What the screen derives from a contract as the daemon tells it. */

export type Contract = ResultOf<'cacp/contract/get'>
export type Revision = NonNullable<Contract['history']>[number] & {
  /** It lost a conflict that was settled since. */
  readonly isLost?: true
}
export type Response = Contract['responses'][number]
export type Implementation = Contract['implementations'][number]
export type Verification = Contract['verifications'][number]
export type Packet = ResultOf<'cacp/context/list'>['packets'][number]
export type Repos = ResultOf<'cacp/project/overview'>['projects'][number]['repos']

/** The head in the form of all other versions. */
export const headOf = ({ head, version, content, proposed_by }: Contract): Revision => ({
  ...head,
  version,
  content,
  proposed_by,
})

/** All versions that are known, the oldest first; a version that lost a conflict has the same number as another one. */
export function versionsOf(contract: Contract, history: readonly Revision[]): readonly Revision[] {
  const all = [...history, ...contract.conflicts, headOf(contract)]
  const lost = new Set(all.flatMap(({ resolves }) => resolves))
  const byId = new Map(
    all.map((one): [string, Revision] => [
      one.revision,
      lost.has(one.revision) ? { ...one, isLost: true } : one,
    ]),
  )
  return [...byId.values()].sort((a, b) => a.version - b.version || (a.timestamp < b.timestamp ? -1 : 1))
}

/** One party and how far it is. */
export interface PartyRow {
  readonly repoId: string
  readonly name: string
  readonly isOwn: boolean
  readonly answer: 'proposed' | 'agree' | 'request_change' | 'reject' | 'silent'
  readonly answeredAt: string | undefined
  readonly isByPerson: boolean
  readonly work: Implementation | undefined
  readonly check: Verification | undefined
  readonly delivery: NonNullable<Contract['delivery']>[number] | undefined
}

export function partyRows(
  contract: Contract,
  repos: Repos,
  ownRepo: string | undefined,
): readonly PartyRow[] {
  const ids = [...new Set([contract.proposed_by, ...contract.head.needed, ...contract.parties])]
  return ids.map((repoId) => {
    const answer = answerOf(contract, repoId)
    return {
      repoId,
      name: nameOf(repos, repoId),
      isOwn: repoId === ownRepo,
      answer: answer?.action ?? (repoId === contract.proposed_by ? 'proposed' : 'silent'),
      answeredAt: answer?.timestamp,
      isByPerson: isPersons(answer?.by),
      work: contract.implementations.find((one) => one.repo_id === repoId),
      check: contract.verifications.findLast(
        (one) => one.repo_id === repoId && one.revision === contract.inForce?.revision,
      ),
      delivery: contract.delivery?.find((one) => one.repo_id === repoId),
    }
  })
}

/** What a repo said to the newest version. */
export const answerOf = ({ responses, head }: Contract, repoId: string | undefined): Response | undefined =>
  responses.findLast(({ repo_id, revision }) => repo_id === repoId && revision === head.revision)

/** The name of a repo, or its ID where it is not a repo of the project any more. */
export const nameOf = (repos: Repos, repoId: string): string =>
  repos.find((one) => one.repoId === repoId)?.name ?? repoId

/** Whether a person said it, and not the agent of the repo. */
export const isPersons = (by: { readonly by_person?: unknown } | undefined): boolean =>
  by?.by_person !== undefined && by.by_person !== false

/** What this repository can do about the newest version. */
export type Standing = 'may answer' | 'wrote it' | 'no party' | 'withdrawn'

export function standingOf(contract: Contract, ownRepo: string | undefined): Standing {
  if (contract.withdrawn) return 'withdrawn'
  if (ownRepo === undefined || ![contract.proposed_by, ...contract.head.needed].includes(ownRepo))
    return 'no party'
  const isAuthor = contract.proposed_by === ownRepo
  const isAlone = contract.head.needed.every((repo) => repo === ownRepo)
  return isAuthor && !isAlone ? 'wrote it' : 'may answer'
}

/** Something that was said or done about a contract. */
export type Entry =
  | { readonly is: 'revision'; readonly id: string; readonly at: string; readonly of: Revision }
  | { readonly is: 'response'; readonly id: string; readonly at: string; readonly of: Response }
  | { readonly is: 'work'; readonly id: string; readonly at: string; readonly of: Implementation }
  | { readonly is: 'check'; readonly id: string; readonly at: string; readonly of: Verification }
  | { readonly is: 'packet'; readonly id: string; readonly at: string; readonly of: Packet }

/** All that was said about a contract, the newest first. */
export function threadOf(
  contract: Contract,
  versions: readonly Revision[],
  packets: readonly Packet[],
): readonly Entry[] {
  const entries: Entry[] = [
    ...versions.map((of): Entry => ({ is: 'revision', id: of.revision, at: of.timestamp, of })),
    ...contract.responses.map((of): Entry => ({ is: 'response', id: of.response_id, at: of.timestamp, of })),
    ...[...contract.implementations, ...contract.past_implementations].map(
      (of): Entry => ({ is: 'work', id: `${of.repo_id} ${of.revision}`, at: of.updated_at, of }),
    ),
    ...contract.verifications.map(
      (of): Entry => ({ is: 'check', id: of.verification_id, at: of.timestamp, of }),
    ),
    ...packets.map((of): Entry => ({ is: 'packet', id: of.packet_id, at: of.timestamp, of })),
  ]
  return entries.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}

/** What every form about a contract is given. */
export interface Acting {
  readonly projectId: string
  readonly contract: Contract
  readonly repos: Repos
  readonly ownRepo: string | undefined
  /** Called after something was done, so that the screen asks the daemon for what is so now. */
  acted(): void
}
