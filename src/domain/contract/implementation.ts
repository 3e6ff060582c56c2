import { LIMITS } from '../../protocol/limits.ts'
import type { RevisionEntity, WorkEntity } from '../views/entities.ts'
import {
  bringIntoForce,
  changeIt,
  namesOf,
  notParty,
  onContract,
  refusal,
  waitUntil,
  wrongState,
} from './advice.ts'
import { isPartyOf, type Seat } from './contract.ts'
import { hasCompleted } from './next-step.ts'

/** The version to implement: the one in force, whatever has been proposed since. Only its parties implement it. */
export function revisionToBuild(seat: Seat, action: 'start' | 'complete'): RevisionEntity {
  const revision = inForce(seat, action)
  if (!revision.parties.includes(seat.repo.repo_id)) throw notParty(seat, revision.needed)
  if (seat.contract.in_force?.status === 'verified')
    throw wrongState(
      seat,
      action,
      changeIt(
        seat,
        'Nothing of it is left to implement. To change it call cacp/contract/update; if it does not work, cacp/implementation/verify with result failure',
      ),
    )
  return revision
}

/** The repo's own work, which must be started before it can be completed. */
export function startedWork(seat: Seat): WorkEntity {
  const { contract, repo } = seat
  const own = ownWork(seat)
  if (own === undefined)
    throw refusal(seat, `${repo.name} has not started to implement contract ${contract.contract_id}`, {
      next: 'Call cacp/implementation/start first',
      call: onContract(seat, 'cacp/implementation/start'),
    })
  return own
}

/** The version to verify. All parts must be complete before. */
export function revisionToVerify(seat: Seat): RevisionEntity {
  const revision = inForce(seat, 'verify')
  if (!isPartyOf(revision, seat.repo.repo_id)) throw notParty(seat, revision.needed)
  if (seat.contract.in_force?.status === 'agreed')
    throw wrongState(seat, 'verify', completion(seat, revision))
  return revision
}

/** The present work of the parties, which a verification refers to. */
export const judgedIn = ({ contract }: Seat, { parties }: RevisionEntity) =>
  contract.works
    .filter(({ repo_id }) => parties.includes(repo_id))
    .slice(0, LIMITS.repos)
    .map(({ repo_id, id: work }) => ({ repo_id, work }))

/** The files of the parties as their daemons stated them last. */
export const judgedTrees = ({ contract }: Seat, { id, parties }: RevisionEntity) =>
  contract.trees
    .filter(({ repo_id, revision }) => revision === id && parties.includes(repo_id))
    .slice(0, LIMITS.repos)
    .map(({ repo_id, digest }) => ({ repo_id, digest }))

function inForce(seat: Seat, action: string): RevisionEntity {
  const { contract, repo } = seat
  if (contract.in_force !== undefined) return contract.in_force.revision
  if (!isPartyOf(contract.head, repo.repo_id)) throw notParty(seat, contract.head.needed)
  throw wrongState(seat, action, bringIntoForce(seat))
}

/** What this repo can do so that every part is complete. */
function completion(seat: Seat, { parties }: RevisionEntity) {
  const own = ownWork(seat)
  const missing = parties.filter((party) => !hasCompleted(seat.contract, party))
  const others = missing.filter((party) => party !== seat.repo.repo_id)
  if (!missing.includes(seat.repo.repo_id))
    return waitUntil(
      seat,
      'implemented',
      `Before that ${namesOf(seat, others, 'and')} must complete what is theirs to implement`,
    )
  const too = others.length === 0 ? '' : `, and so must ${namesOf(seat, others, 'and')}`
  if (own === undefined || own.status === 'needs_revision')
    return {
      next: `${seat.repo.name} must complete its own part first${too}: begin with cacp/implementation/start`,
      call: onContract(seat, 'cacp/implementation/start'),
    }
  return {
    next: `${seat.repo.name} must complete its own part first${too}: say so with cacp/implementation/complete`,
    call: onContract(seat, 'cacp/implementation/complete', { files: [] }, ['files']),
  }
}

const ownWork = ({ contract, repo }: Seat): WorkEntity | undefined =>
  contract.works.find(({ repo_id }) => repo_id === repo.repo_id)
