import { defined } from '../../protocol/collections/defined.ts'
import { Fault } from '../../protocol/fault.ts'
import { canonicalText, compareText } from '../../protocol/json/canonical.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { listed } from '../names/listed.ts'
import { askIn } from '../project/joining-advice.ts'
import type { RevisionEntity } from '../views/entities.ts'
import { isPartyOf, mayAnswer, type Seat } from './contract.ts'

/**
 * Faults for actions that a contract's state does not allow, each with a call that works for this caller instead:
 * `data.call` can be made as it is, `next` says it in words.
 */

interface Advice {
  readonly next: string
  readonly call: NextCall
}

export const refusal = (
  { found: { project }, contract }: Seat,
  problem: string,
  { next, call }: Advice,
): Fault =>
  new Fault('conflict', problem, {
    next,
    data: {
      projectId: project.project_id,
      contractId: contract.contract_id,
      contractStatus: contract.status,
      call,
    },
  })

/** The fault for an action that the contract's status does not allow. */
export const wrongState = (seat: Seat, action: string, advice: Advice): Fault =>
  refusal(seat, `Cannot ${action} contract ${seat.contract.contract_id}: it is ${stateOf(seat)}`, advice)

function stateOf({ contract }: Seat): string {
  if (contract.is_withdrawn) return 'withdrawn'
  return contract.is_retired ? 'retired' : contract.status
}

/** Only its parties change a contract; all other members read, ask and comment. */
export function notParty(seat: Seat, parties: readonly string[]): Fault {
  const { contract, repo } = seat
  return refusal(seat, `${repo.name} is not a party of contract ${contract.contract_id}`, {
    next: `Ask ${namesOf(seat, parties)} to make ${repo.name} a party with cacp/contract/update {"addParties": ["${repo.name}"]}; say what you think of it with cacp/context/askQuestion or cacp/context/share`,
    call: asking(seat, `Please make ${repo.name} a party of contract ${contract.name}`),
  })
}

/** For a contract that has ended: its subject can be proposed anew. */
export const proposeAnew = ({ found, contract }: Seat): Advice => ({
  next: 'Propose it anew with cacp/contract/propose',
  call: {
    method: 'cacp/contract/propose',
    params: {
      projectId: found.project.project_id,
      type: contract.type,
      name: contract.name,
      content: { [PLACEHOLDER]: 'the whole content' },
    },
    fill: ['content'],
  },
})

/** Advises to propose another version. */
export function changeIt(seat: Seat, why = 'To change it call cacp/contract/update'): Advice {
  const { contract, repo } = seat
  if (!isPartyOf(contract.head, repo.repo_id)) return askParties(seat)
  return {
    next: why,
    call: onContract(
      seat,
      'cacp/contract/update',
      { content: { [PLACEHOLDER]: 'the whole new content' }, version: contract.head.version },
      ['content'],
    ),
  }
}

const retireIt = (seat: Seat): Advice =>
  isPartyOf(seat.contract.head, seat.repo.repo_id)
    ? {
        next: 'Propose its end with cacp/contract/update {"retire": true}; it ends when all parties agree',
        call: onContract(seat, 'cacp/contract/update', {
          retire: true,
          version: seat.contract.head.version,
        }),
      }
    : askParties(seat)

/** Advises to drop the change that this repo proposed; if there is none, only to end the contract in force. */
export function dropChange(seat: Seat): Advice {
  const { contract, repo } = seat
  const { head, in_force } = contract
  if (in_force === undefined || head.repo_id !== repo.repo_id || isSameAs(in_force.revision, head))
    return retireIt(seat)
  return {
    next: `Drop version ${head.version} with cacp/contract/update {"restore": true}, which proposes version ${in_force.revision.version} again; {"retire": true} instead proposes the end of the contract`,
    call: onContract(seat, 'cacp/contract/update', { restore: true, version: head.version }),
  }
}

/** Whether two versions have the same content, parties and dependencies. */
const isSameAs = (a: RevisionEntity, b: RevisionEntity): boolean =>
  canonicalText([a.content, a.parties, a.depends_on, a.retire]) ===
  canonicalText([b.content, b.parties, b.depends_on, b.retire])

/** Advises how to end a contract that was never agreed. */
export function endProposal(seat: Seat): Advice {
  const { contract, repo } = seat
  if (contract.conflicts.length > 0) return settleIt(seat)
  if (contract.created_by === repo.repo_id)
    return {
      next: 'Take it back with cacp/contract/withdraw',
      call: onContract(seat, 'cacp/contract/withdraw'),
    }
  const opener = namesOf(seat, [contract.created_by])
  if (!mayAnswer(contract, repo.repo_id))
    return {
      next: `Only ${opener} can take it back, with cacp/contract/withdraw: ask for it with cacp/context/askQuestion`,
      call: asking(seat, `Please withdraw contract ${contract.name}`),
    }
  return {
    next: `Call cacp/contract/respond with action reject; only ${opener} can take it back`,
    call: onContract(seat, 'cacp/contract/respond', { action: 'reject', version: contract.head.version }),
  }
}

/** Advises what this repo can do so that a version comes into force. */
export function bringIntoForce(seat: Seat): Advice {
  const { contract, repo } = seat
  if (contract.is_withdrawn) return proposeAnew(seat)
  if (contract.is_retired) return changeIt(seat, 'Propose it anew with cacp/contract/update')
  if (contract.conflicts.length > 0) return settleIt(seat)
  const { head, answers, unanswered, objections } = contract
  const hasAgreed = answers.some(({ repo_id, action }) => repo_id === repo.repo_id && action === 'agree')
  if (mayAnswer(contract, repo.repo_id) && !hasAgreed)
    return {
      next: 'Call cacp/contract/respond with action agree first',
      call: onContract(seat, 'cacp/contract/respond', { action: 'agree', version: head.version }),
    }
  if (head.repo_id === repo.repo_id && objections.length > 0)
    return changeIt(
      seat,
      `${namesOf(seat, objections, 'and')} did not agree to version ${head.version}: propose a new one with cacp/contract/update`,
    )
  return waitUntil(
    seat,
    'agreed',
    `Before that ${namesOf(seat, [...unanswered, ...objections], 'and')} must agree to version ${head.version}`,
  )
}

/** While two versions are in conflict, nothing can be agreed. */
function settleIt(seat: Seat): Advice {
  const { version } = seat.contract.head
  return {
    next: 'It was changed twice at the same time: settle first which content holds with cacp/contract/resolve',
    call: onContract(seat, 'cacp/contract/resolve', { keep: 'winner', version }, ['keep']),
  }
}

/** Also waits for a newer version, because the caller may have to answer that one. */
export function waitUntil(seat: Seat, statusAtLeast: 'agreed' | 'implemented', why: string): Advice {
  const { project_id: projectId } = seat.found.project
  const { contract_id: contractId, head } = seat.contract
  const onThis = { projectId, contractId }
  const any = [
    { contract: { ...onThis, statusAtLeast } },
    { contract: { ...onThis, versionAbove: head.version } },
  ]
  return {
    next: `${why}: wait for it with cacp/wait`,
    call: { method: 'cacp/wait', params: { until: { any }, timeoutSeconds: 50 } },
  }
}

/** A call about a contract; `fill` names the params that the caller has to decide or to write. */
export const onContract = (
  { found, contract }: Pick<Seat, 'found' | 'contract'>,
  method: string,
  params: JsonObject = {},
  fill?: readonly string[],
): NextCall => ({
  method,
  params: { projectId: found.project.project_id, contractId: contract.contract_id, ...params },
  ...defined({ fill }),
})

const askParties = (seat: Seat): Advice => ({
  next: `Ask ${namesOf(seat, seat.contract.head.needed)} with cacp/context/askQuestion to change it`,
  call: asking(seat, `Please change contract ${seat.contract.name}`),
})

const asking = ({ found, contract }: Seat, question: string): NextCall =>
  askIn(found.project.project_id, question, [contract.contract_id])

const MOST_REPOS_NAMED = 5

export function namesOf(
  { found }: Pick<Seat, 'found'>,
  repoIds: readonly string[],
  joint: 'or' | 'and' = 'or',
): string {
  const names = [...new Set(repoIds)].map((id) => found.repos.get(id)?.name ?? id).sort(compareText)
  if (names.length > MOST_REPOS_NAMED) return listed(names, MOST_REPOS_NAMED)
  const last = names.pop()
  return names.length === 0 ? (last ?? 'another repo') : `${names.join(', ')} ${joint} ${last}`
}
