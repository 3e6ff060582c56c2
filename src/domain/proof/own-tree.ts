import { isSameJson } from '../../protocol/json/is-same.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import type { ContractName } from '../contract/contract.ts'
import type { Env, Self } from '../env.ts'
import { repoOfAgent } from '../lookup.ts'
import { speakIn } from '../speaking/speaking.ts'
import type { Unsigned } from '../statements/say.ts'
import { MOST_MOVED, tree as treeKind } from '../statements/tree.ts'
import type { View } from '../view.ts'
import type { TreeEntity } from '../views/entities.ts'
import { type FileLook, ignoredAmong } from './ignored-file.ts'
import { proofOf } from './proof.ts'

/** The files of this daemon's repository that implement a contract. */

export type ContractPlace = ContractName

type OwnWork = NonNullable<ReturnType<typeof ownWorkIn>>

/** Undefined unless this daemon's own agent has completed its part of the version in force. */
export function ownWorkIn(view: View, { projectId, contractId }: ContractPlace, { agentId, signer }: Self) {
  const found = view.projects.get(projectId)
  const repo = found && repoOfAgent(found, agentId, signer.keyId)
  const contract = found?.contracts.get(contractId)
  const work = contract?.works.find(({ repo_id }) => repo_id === repo?.repo_id)
  if (found === undefined || contract === undefined || repo === undefined) return undefined
  return work?.status === 'complete' ? { found, contract, repo, work } : undefined
}

/** What the files are like, in the order in which the work declares them. */
export type FileLooks = readonly FileLook[]

/** One hash over the paths and contents of files, whatever their order. */
export const treeDigest = (paths: readonly string[], looks: FileLooks): string =>
  sha256(
    paths
      .map((path, index) => `${JSON.stringify(path)} ${hashIn(looks[index]) ?? 'missing'}\n`)
      .sort()
      .join(''),
  )

const hashIn = (look: FileLook | undefined): string | undefined =>
  look !== undefined && 'sha256' in look ? look.sha256 : undefined

/** States what the files are like now; undefined where that is stated already, or the work is another one by now. */
export function stateTree(
  view: View,
  place: ContractPlace & { readonly workId: string; readonly looks: FileLooks },
  env: Pick<Env, 'self' | 'now' | 'newNonce'>,
): Unsigned | undefined {
  const own = ownWorkIn(view, place, env.self)
  const by = own?.repo.holder?.speaks_by
  if (own === undefined || by === undefined || own.work.id !== place.workId) return undefined
  const { found, contract, repo, work } = own
  const digest = treeDigest(work.files, place.looks)
  const before = contract.trees.find(({ repo_id }) => repo_id === repo.repo_id)
  const ignored = ignoredAmong(work.files, place.looks)
  const isStated = before?.digest === digest && before.revision === work.revision
  if (isStated && isSameJson(before.ignored, ignored)) return undefined
  const hashes = place.looks.map((look) => hashIn(look)?.slice(0, 12) ?? '')
  const body = {
    register: '',
    revision: work.revision,
    digest,
    hashes,
    moved: movedFiles(own, before, { digest, hashes }),
    ...(ignored.length === 0 ? {} : { ignored }),
  }
  return speakIn(found, by, env)(treeKind, { about: contract.contract_id, body })
}

/** The files that changed since the newest verification: those that changed just now, and those noted before. */
function movedFiles(
  { contract, repo, work }: OwnWork,
  before: TreeEntity | undefined,
  now: Pick<TreeEntity, 'digest' | 'hashes'>,
): string[] {
  const judged = proofOf(contract)?.newest.trees.get(repo.repo_id)
  const isComparable = before?.revision === work.revision && before.hashes.length === work.files.length
  if (!isComparable || judged === undefined || judged === now.digest) return []
  const changed = work.files.filter((_, index) => before.hashes[index] !== now.hashes[index])
  const noted = before.digest === judged ? [] : before.moved
  return [...new Set([...noted, ...changed])].slice(0, MOST_MOVED)
}
