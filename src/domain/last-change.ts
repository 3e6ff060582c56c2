import type { Stamp } from '../protocol/stamp.ts'
import { contractStamp } from './contract.ts'
import type { Contract } from './model.ts'

export interface LastChange {
  readonly at: Stamp
  /** repo_id of whoever made it. */
  readonly by: string
  /** How many revisions, answers, implementations and verifications there are. A merge never takes one away. */
  readonly parts: number
}

const known = new WeakMap<Contract, LastChange>()

/** Who moved a contract last, and when. Found once for every state of it: some have long histories. */
export function lastChangeOf(contract: Contract): LastChange {
  let last = known.get(contract)
  if (last === undefined) {
    last = findLastChange(contract)
    known.set(contract, last)
  }
  return last
}

function findLastChange(contract: Contract): LastChange {
  const { revisions, responses, implementations, verifications } = contract
  let newest: { at: string; by: string } = { at: '', by: '' }
  const see = (at: Stamp, by: string) => {
    // An answer moves its revision at the same moment, and comes after it here.
    if (at >= newest.at) newest = { at, by }
  }
  for (const { timestamp, proposed_by } of revisions) see(timestamp, proposed_by)
  for (const { timestamp, repo_id } of responses) see(timestamp, repo_id)
  for (const { updated_at, repo_id } of implementations) see(updated_at, repo_id)
  for (const { timestamp, repo_id } of verifications) see(timestamp, repo_id)
  return {
    at: contractStamp(contract),
    by: newest.by,
    parts: revisions.length + responses.length + implementations.length + verifications.length,
  }
}
