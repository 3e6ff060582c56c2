import { compareText } from '../protocol/canonical.ts'
import { latest, type Stamp } from '../protocol/stamp.ts'
import { conflictsOf, headOf } from './contract.ts'
import { implementationOf } from './implementation.ts'
import type { Audience, Duty, Turns } from './inbox.ts'
import type { Contract, Implementation, Revision } from './model.ts'
import { nextStep, type Step, workStatus } from './standing.ts'

/** Whose turn it is with a contract. Each repo has one thing to do about it at most: a conflict goes first. */
export function turnsOfContract(contract: Contract): Turns {
  const step = nextStep(contract)
  const turns = step === undefined ? { duties: [], waits: [] } : STEPS[step.to](contract, step)
  const losers = conflictsOf(contract)
  return losers.length === 0 ? turns : withConflict(turns, [...losers, headOf(contract)])
}

/** Both sides of a conflict can settle it, and have nothing else to do before. */
function withConflict({ duties, waits }: Turns, sides: readonly Revision[]): Turns {
  const authors = [...new Set(sides.map(({ proposed_by }) => proposed_by))].sort(compareText)
  const since = latest(sides.map(({ timestamp }) => timestamp))
  const basis = sides.map(({ id }) => id).sort(compareText)
  const toSettle = authors.map(
    (only): Duty => ({
      kind: 'resolve_conflict',
      to: { only },
      since,
      by: { repoId: authors.find((other) => other !== only) ?? only, agentId: null },
      basis,
    }),
  )
  const others = duties.flatMap((duty) => {
    if ('only' in duty.to) return authors.includes(duty.to.only) ? [] : [duty]
    return [{ ...duty, to: { but: authors } }]
  })
  return { duties: [...toSettle, ...others], waits: waits.filter(({ repoId }) => !authors.includes(repoId)) }
}

const STEPS: Record<Step['to'], (contract: Contract, step: Step) => Turns> = {
  'answer it': answerTurns,
  'propose a new version': revisionTurns,
  'implement it': implementationTurns,
  'verify it': verificationTurns,
}

function answerTurns(contract: Contract, { on, to }: Step): Turns {
  const { id, proposed_by, timestamp: since } = headOf(contract)
  const audiences: Audience[] =
    on.length > 0 ? on.map((only) => ({ only })) : [{ but: [proposed_by], orAlone: true }]
  const by = { repoId: proposed_by, agentId: null }
  return {
    duties: audiences.map((to) => ({ kind: 'answer_contract', to, since, by, basis: [id] })),
    waits: [{ repoId: proposed_by, on, to, since }],
  }
}

function revisionTurns(contract: Contract, { on, to }: Step): Turns {
  const { id, proposed_by, base } = headOf(contract)
  const asked = newestOf(contract.responses.filter((one) => one.revision === id && one.action !== 'agree'))
  const duty: Duty = {
    kind: 'revise_contract',
    to: { only: proposed_by },
    since: base.at,
    by: { repoId: asked?.repo_id ?? proposed_by, agentId: asked?.agent_id ?? null },
    basis: [id, asked?.response_id ?? ''],
  }
  const others = contract.parties.filter((repoId) => repoId !== proposed_by)
  return { duties: [duty], waits: others.map((repoId) => ({ repoId, on, to, since: base.at })) }
}

function implementationTurns(contract: Contract, { on, to }: Step): Turns {
  const done = contract.parties.filter((repoId) => !on.includes(repoId))
  const since = (repoId: string) => workOf(contract, repoId)?.updated_at ?? headOf(contract).base.at
  return {
    duties: on.flatMap((repoId) => workDuty(contract, repoId, done) ?? []),
    waits: done.map((repoId) => ({ repoId, on, to, since: since(repoId) })),
  }
}

function workDuty(contract: Contract, repoId: string, done: readonly string[]): Duty | undefined {
  const head = headOf(contract)
  const common = { to: { only: repoId }, basis: [head.id, ...done] }
  switch (workStatus(contract, repoId)) {
    case undefined:
    case 'pending':
      return { ...common, kind: 'start_implementation', since: head.base.at, by: agreedBy(contract) }
    case 'needs_revision': {
      const failed = newestOf(
        contract.verifications.filter((one) => one.revision === head.id && one.result === 'failure'),
      )
      const by = { repoId: failed?.repo_id ?? repoId, agentId: failed?.agent_id ?? null }
      return { ...common, kind: 'revise_implementation', since: failed?.timestamp ?? head.base.at, by }
    }
    case 'in_progress': {
      const [first] = done
        .flatMap((other) => workOf(contract, other) ?? [])
        .sort((a, b) => compareText(a.updated_at, b.updated_at))
      if (first === undefined) return undefined
      const own = workOf(contract, repoId)?.updated_at ?? first.updated_at
      const by = { repoId: first.repo_id, agentId: first.agent_id }
      return { ...common, kind: 'waits_for_me', since: latest([first.updated_at, own]), by }
    }
    case 'complete':
      return undefined
  }
}

/** Any party can say that it works together. */
function verificationTurns(contract: Contract): Turns {
  const head = headOf(contract)
  const work = contract.parties.flatMap((repoId) => workOf(contract, repoId) ?? [])
  const last = work.reduce((a, b) => (b.updated_at > a.updated_at ? b : a), work[0] as Implementation)
  const judged = contract.verifications.filter(({ revision }) => revision === head.id)
  const basis = [
    head.id,
    last.updated_at,
    ...judged.map(({ verification_id }) => verification_id).sort(compareText),
  ]
  const by = { repoId: last.repo_id, agentId: last.agent_id }
  const duties = contract.parties.map(
    (only): Duty => ({
      kind: 'verify_contract',
      to: { only },
      since: last.updated_at,
      by,
      basis,
    }),
  )
  return { duties, waits: [] }
}

function agreedBy(contract: Contract): Duty['by'] {
  const head = headOf(contract)
  const agreed = newestOf(
    contract.responses.filter((one) => one.revision === head.id && one.action === 'agree'),
  )
  return { repoId: agreed?.repo_id ?? head.proposed_by, agentId: agreed?.agent_id ?? null }
}

const workOf = (contract: Contract, repoId: string): Implementation | undefined =>
  implementationOf(contract, repoId, headOf(contract).id)

function newestOf<Dated extends { readonly timestamp: Stamp }>(dated: readonly Dated[]): Dated | undefined {
  return dated.toSorted((a, b) => compareText(a.timestamp, b.timestamp)).at(-1)
}
