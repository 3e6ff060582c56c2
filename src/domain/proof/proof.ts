import { newestFirst } from '../views/by.ts'
import type { ContractEntity, VerificationEntity } from '../views/entities.ts'
import { gradeOf, isAtLeast } from './evidence.ts'
import type { IgnoredFile } from './ignored-file.ts'

export type Proof = NonNullable<ReturnType<typeof proofOf>>

/**
 * How well the version in force is proven to work, undefined while nobody has verified it: the newest verification by a
 * party, the best of the successful verifications of the work and the files as they are, if there is one, and else the
 * repos whose files changed since the newest successful verification of the present work.
 */
export function proofOf(contract: ContractEntity) {
  const [newest] = contract.verifications.toSorted(newestFirst)
  if (newest === undefined) return undefined
  const ofWork = contract.verifications.filter((one) => isOfPresentWork(one, contract)).sort(newestFirst)
  const fresh = ofWork
    .filter((one) => movedSince(one, contract).length === 0)
    .map((verification) => ({ verification, grade: gradeOf(verification.evidence) }))
  const best = fresh.find(({ grade }) => fresh.every((other) => isAtLeast(grade, other.grade)))
  const [last] = ofWork
  return { newest, best, moved: last === undefined || best !== undefined ? [] : movedSince(last, contract) }
}

/** Whether it is a success that judged the work of every party as it is now. */
function isOfPresentWork(
  { result, judged }: VerificationEntity,
  { works, in_force }: ContractEntity,
): boolean {
  const seen = new Set(judged.map(({ work }) => work))
  return (
    result === 'success' &&
    works.length >= (in_force?.revision.parties.length ?? 0) &&
    works.every(({ id }) => seen.has(id))
  )
}

/** Declared files that the digests of the version in force do not cover. */
export const ignoredFiles = ({
  trees,
  in_force,
}: ContractEntity): readonly (IgnoredFile & { readonly repoId: string })[] =>
  trees
    .filter(({ revision }) => revision === in_force?.revision.id)
    .flatMap(({ repo_id: repoId, ignored }) => ignored.map((file) => ({ repoId, ...file })))

/**
 * The repos whose files are not what a verification judged. Of a repo whose daemon states no digest, now or then,
 * nothing can be told. The files are the first of them, as that repo's daemon says.
 */
function movedSince({ trees }: VerificationEntity, contract: ContractEntity) {
  return contract.trees.flatMap(({ repo_id, digest, moved, revision }) => {
    const judged = trees.get(repo_id)
    const isAsJudged = judged === undefined || judged === digest
    return isAsJudged || revision !== contract.in_force?.revision.id
      ? []
      : [{ repoId: repo_id, files: moved }]
  })
}
