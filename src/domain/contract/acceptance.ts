import { Fault } from '../../protocol/fault.ts'
import type { ResponseAction } from '../../protocol/words.ts'
import type { Change } from '../interface/model.ts'
import type { Acceptance } from '../statements/answer.ts'
import type { Seat } from './contract.ts'
import { type JudgedRepo, judgeRepos } from './repo-review.ts'

/**
 * What an agreement of this repo accepts: changes that hurt it or may hurt it, of the version that it is compared
 * with. Nobody else can accept them, and what hurts nobody needs no acceptance. Undefined: all of it was accepted
 * already.
 */
export function acceptanceOf(
  seat: Seat,
  action: ResponseAction,
  accepts: 'all' | readonly string[],
): Acceptance | undefined {
  if (action !== 'agree') throw onlyWithAgree(seat)
  const { found, contract, repo } = seat
  const { head } = contract
  const [judged] = judgeRepos({ found, contract, after: head, author: head.repo_id, only: repo.repo_id })
  const hurting = judged === undefined ? [] : hurtingIn(judged)
  const known = new Set(hurting.map(({ fingerprint }) => fingerprint))
  const asked = accepts === 'all' ? [...known] : accepts
  for (const [index, fingerprint] of asked.entries())
    if (!known.has(fingerprint)) throw notHurt(seat, { index, fingerprint, hurting })
  const done = new Set(judged?.review.accepted?.map(({ fingerprint }) => fingerprint))
  if (judged === undefined || asked.every((one) => done.has(one))) return undefined
  return { accepts: [...new Set(asked)], accepts_against: judged.baseline.id }
}

const hurtingIn = ({ impacts }: JudgedRepo): Change[] =>
  [...impacts].filter(([, likely]) => likely !== 'no').map(([change]) => change)

function onlyWithAgree({ contract }: Seat): Fault {
  return new Fault('invalid_params', 'accepts: goes with the action agree only', {
    next: 'Leave accepts out to object to the changes, or agree and accept them',
    data: { field: 'accepts', contractId: contract.contract_id },
  })
}

const MOST_CHANGES_NAMED = 10

function notHurt(
  { contract, repo }: Seat,
  given: { readonly index: number; readonly fingerprint: string; readonly hurting: readonly Change[] },
): Fault {
  const { index, fingerprint, hurting } = given
  const named = hurting.slice(0, MOST_CHANGES_NAMED).map((one) => `${one.fingerprint} (${one.say})`)
  return new Fault('not_found', `accepts.${index}: no change ${fingerprint} hurts ${repo.name}`, {
    next:
      named.length === 0
        ? `Leave accepts out: nothing in version ${contract.head.version} hurts ${repo.name}`
        : `There ${named.length === 1 ? 'is' : 'are'} ${named.join(', ')}; "all" accepts all of it`,
    data: { field: `accepts.${index}`, contractId: contract.contract_id },
  })
}
