import { compareText } from '../protocol/canonical.ts'
import { Fault } from '../protocol/fault.ts'
import type { Stamp } from '../protocol/stamp.ts'
import type { ImplementationStatus } from '../protocol/words.ts'
import type { Contract, Implementation, Verification } from './model.ts'

export function implementationOf(
  contract: Contract,
  repoId: string,
  revision: string,
): Implementation | undefined {
  return contract.implementations.find((one) => one.repo_id === repoId && one.revision === revision)
}

/** A failed verification turns exactly the states it looked at into needs_revision; later work is not touched. */
export function implementationStatus(
  contract: Contract,
  implementation: Implementation,
): ImplementationStatus {
  const failed = contract.verifications.some(
    (verification) =>
      verification.result === 'failure' &&
      verification.revision === implementation.revision &&
      judgedNow(verification, implementation),
  )
  return failed ? 'needs_revision' : implementation.status
}

export function isImplemented(contract: Contract, revision: string): boolean {
  if (contract.parties.length === 0) return false
  return contract.parties.every((repoId) => {
    const implementation = implementationOf(contract, repoId, revision)
    return implementation !== undefined && implementationStatus(contract, implementation) === 'complete'
  })
}

/** The newest verification of this revision succeeded, and it looked at the work as it is now. */
export function isVerified(contract: Contract, revision: string): boolean {
  const newest = newestVerification(contract, revision)
  if (newest?.result !== 'success') return false
  return contract.parties.every((repoId) => {
    const implementation = implementationOf(contract, repoId, revision)
    return implementation !== undefined && judgedNow(newest, implementation)
  })
}

function newestVerification(contract: Contract, revision: string): Verification | undefined {
  return contract.verifications
    .filter((verification) => verification.revision === revision)
    .reduce<Verification | undefined>(
      (newest, one) => (newest === undefined || one.timestamp >= newest.timestamp ? one : newest),
      undefined,
    )
}

function judgedNow(verification: Verification, implementation: Implementation): boolean {
  return verification.judged.some(
    (judged) => judged.repo_id === implementation.repo_id && judged.updated_at === implementation.updated_at,
  )
}

export interface Work {
  repoId: string
  agentId: string
  /** Revision that the work is about: the head. */
  revision: string
  at: Stamp
}

export function startImplementation(
  contract: Contract,
  { repoId, agentId, revision, at }: Work,
  given: { plan: string; estimated_files: readonly string[] },
): Contract {
  return withImplementation(contract, {
    repo_id: repoId,
    agent_id: agentId,
    revision,
    status: 'in_progress',
    ...given,
    notes: '',
    files: [],
    test_endpoint: null,
    started_at: at,
    completed_at: null,
    updated_at: at,
  })
}

export function completeImplementation(
  contract: Contract,
  { repoId, agentId, revision, at }: Work,
  given: { files: readonly string[]; notes: string; test_endpoint: string | null },
): Contract {
  const started = implementationOf(contract, repoId, revision)
  if (started === undefined)
    throw new Fault('conflict', `Contract ${contract.contract_id} was not started by this repo`, {
      next: 'Call cacp/implementation/start first',
      data: { contractId: contract.contract_id },
    })
  return withImplementation(contract, {
    ...started,
    ...given,
    agent_id: agentId,
    status: 'complete',
    completed_at: at,
    updated_at: at,
  })
}

export function verifyImplementations(
  contract: Contract,
  { repoId, agentId, revision, at }: Work,
  given: Pick<Verification, 'verification_id' | 'result' | 'notes' | 'failure_details'>,
): Contract {
  const judged = contract.implementations
    .filter((one) => one.revision === revision)
    .map((one) => ({ repo_id: one.repo_id, updated_at: one.updated_at }))
  const verification: Verification = {
    ...given,
    revision,
    repo_id: repoId,
    agent_id: agentId,
    judged,
    timestamp: at,
  }
  return { ...contract, verifications: [...contract.verifications, verification] }
}

function withImplementation(contract: Contract, implementation: Implementation): Contract {
  const others = contract.implementations.filter(
    (one) => one.repo_id !== implementation.repo_id || one.revision !== implementation.revision,
  )
  return { ...contract, implementations: [...others, implementation].sort(byWork) }
}

/** The work on one revision, in the order in which it was started. */
export function workOn(contract: Contract, revision: string): readonly Implementation[] {
  return contract.implementations
    .filter((one) => one.revision === revision)
    .sort((a, b) => compareText(a.started_at ?? '', b.started_at ?? '') || byWork(a, b))
}

export const workKey = (one: Implementation): string => `${one.revision} ${one.repo_id}`

const byWork = (a: Implementation, b: Implementation) => compareText(workKey(a), workKey(b))
