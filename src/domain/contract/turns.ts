import { compareText } from '../../protocol/json/canonical.ts'
import { latest } from '../../protocol/stamp.ts'
import type { ContractStatus } from '../../protocol/words.ts'
import { type Duty, NO_TURNS, type Turns } from '../inbox/inbox.ts'
import { ignoredFiles, proofOf } from '../proof/proof.ts'
import { newestFirst, speakerOf } from '../views/by.ts'
import type { By, ContractEntity, RevisionEntity, WorkEntity } from '../views/entities.ts'
import { mayAnswer } from './contract.ts'
import { reposOf } from './parties.ts'

/**
 * Whose turn it is. Each repo has at most one duty besides its own open objection and declared files that do not count; a
 * conflict takes precedence.
 */
export function turnsOfContract(contract: ContractEntity): Turns {
  if (contract.is_withdrawn) return NO_TURNS
  const { duties, waits } = TURNS[contract.status](contract)
  let all = duties
  for (const moreOf of [workDuties, failedWorkDuties, ignoredFilesDuties])
    all = [...all, ...moreOf(contract, all)]
  const turns = { duties: all, waits }
  return contract.conflicts.length === 0 ? turns : withConflict(turns, contract)
}

const TURNS: Readonly<Record<ContractStatus, (contract: ContractEntity) => Turns>> = {
  proposed: answerTurns,
  negotiating: revisionTurns,
  agreed: implementationTurns,
  implemented: verificationTurns,
  verified: proofTurns,
}

/** Both sides of a conflict can resolve it, and have no other duty before that. */
function withConflict({ duties, waits }: Turns, { conflicts, head }: ContractEntity): Turns {
  const sides: readonly RevisionEntity[] = [...conflicts, head]
  const authors = [...new Set(sides.map(({ repo_id }) => repo_id))].sort(compareText)
  const since = latest(sides.map(({ timestamp }) => timestamp))
  const basis = sides.map(({ id }) => id).sort(compareText)
  const toSettle = authors.map((only): Duty => {
    const other = sides.find(({ repo_id }) => repo_id !== only) ?? head
    return { kind: 'resolve_conflict', to: { only }, ...causedBy(other), since, basis }
  })
  return {
    duties: [...toSettle, ...duties.filter(({ to }) => !('only' in to && authors.includes(to.only)))],
    waits: waits.filter(({ repoId }) => !authors.includes(repoId)),
  }
}

/** Every party that has not answered has to answer; an author without other parties has to answer itself. */
function answerTurns(contract: ContractEntity): Turns {
  const { head, unanswered } = contract
  const { repo_id: author, timestamp: since } = head
  const on = mayAnswer(contract, author) ? [author] : unanswered
  return {
    duties: answerDuties(head, on),
    waits: reposOf(head)
      .filter((repoId) => !on.includes(repoId))
      .map((repoId) => ({ repoId, on, to: 'answer it', since })),
  }
}

const answerDuties = (head: RevisionEntity, on: readonly string[]): Duty[] =>
  on.map((only) => ({ kind: 'answer_contract', to: { only }, ...causedBy(head), basis: [head.id] }))

/**
 * The author has to propose another version, and parties that have not answered still have to answer. A party that
 * objects keeps its own duty, with low urgency, until its objection is met.
 */
function revisionTurns(contract: ContractEntity): Turns {
  const { head, answers, objections, unanswered } = contract
  const author = head.repo_id
  const asked = newestOf(answers.filter(({ repo_id }) => objections.includes(repo_id)))
  const { since, by } = causedBy(asked ?? head)
  const basis = [head.id, asked?.id ?? '']
  const othersOf = (repoIds: readonly string[]) => repoIds.filter((repoId) => repoId !== author)
  const others = othersOf(reposOf(head)).filter((repoId) => !unanswered.includes(repoId))
  return {
    duties: [
      { kind: 'revise_contract', to: { only: author }, since, by, basis },
      ...answerDuties(head, othersOf(unanswered)),
      ...answerDuties(head, othersOf(objections)).map((own): Duty => ({ ...own, urgency: 'low' })),
    ],
    waits: others.map((repoId) => ({ repoId, on: [author], to: 'propose a new version', since })),
  }
}

function implementationTurns(contract: ContractEntity): Turns {
  const { in_force, works } = contract
  if (in_force === undefined) return NO_TURNS
  const { parties } = in_force.revision
  const complete = works.filter(({ status, repo_id }) => status === 'complete' && parties.includes(repo_id))
  const on = parties.filter((repoId) => !complete.some(({ repo_id }) => repo_id === repoId))
  return {
    duties: on.flatMap((repoId) => workDuty(contract, repoId, complete) ?? []),
    waits: complete.map(({ repo_id: repoId, timestamp: since }) => ({
      repoId,
      on,
      to: 'implement it',
      since,
    })),
  }
}

/** What is in force is to be built even while a change is proposed, unless that retires it or the repo is busy. */
function workDuties(contract: ContractEntity, before: readonly Duty[]): Duty[] {
  const { in_force, head } = contract
  if (in_force === undefined || in_force.revision.id === head.id || head.retire) return []
  const isFree = ({ to }: Duty) => !('only' in to && isBusy(before, to.only, contract))
  return TURNS[in_force.status](contract).duties.filter(isFree)
}

/** Whether a repo has a duty besides its own open objection. */
const isBusy = (duties: readonly Duty[], repoId: string, { objections }: ContractEntity): boolean =>
  duties.some(({ kind, to }) => {
    const isOwnObjection = kind === 'answer_contract' && objections.includes(repoId)
    return 'only' in to && to.only === repoId && !isOwnObjection
  })

function workDuty(
  contract: ContractEntity,
  repoId: string,
  complete: readonly WorkEntity[],
): Duty | undefined {
  const { head, answers, works } = contract
  const revision = contract.in_force?.revision ?? head
  const own = works.find(({ repo_id }) => repo_id === repoId)
  const common = { to: { only: repoId }, basis: [revision.id, ...complete.map(({ repo_id }) => repo_id)] }
  switch (own?.status) {
    case undefined:
    case 'pending': {
      const agrees = answers.filter((one) => one.action === 'agree' && one.revision === revision.id)
      const agreed = newestOf(agrees) ?? revision
      return { ...common, kind: 'start_implementation', ...causedBy(agreed) }
    }
    case 'in_progress': {
      const first = newestOf(complete, -1)
      if (first === undefined)
        return { ...common, kind: 'complete_implementation', ...causedBy(own), urgency: 'low' }
      const since = latest([first.timestamp, own.timestamp])
      return { ...common, kind: 'waits_for_me', ...causedBy(first), since }
    }
    case 'needs_revision':
    case 'complete':
      return undefined
  }
}

/** Failed work has to be revised even while a change is proposed, unless the repo has another duty. */
function failedWorkDuties(contract: ContractEntity, before: readonly Duty[]): Duty[] {
  const { in_force, works } = contract
  if (in_force === undefined) return []
  const failedWorks = works.filter(
    ({ status, repo_id }) => status === 'needs_revision' && !isBusy(before, repo_id, contract),
  )
  return failedWorks.map((work) => {
    const cause = causedBy(newestOf(work.failures) ?? work)
    const basis = [in_force.revision.id, work.id]
    return { kind: 'revise_implementation', to: { only: work.repo_id }, ...cause, basis }
  })
}

/** Files that count as not there can be declared otherwise until it is verified; nobody waits for that. */
function ignoredFilesDuties(contract: ContractEntity): Duty[] {
  const { in_force, trees, works } = contract
  if (in_force === undefined || in_force.status === 'verified') return []
  const declared = ignoredFiles(contract)
  return works.flatMap(({ repo_id: only, status }): Duty[] => {
    const tree = trees.find(({ repo_id }) => repo_id === only)
    const [first] = declared.filter(({ repoId }) => repoId === only)
    if (status !== 'complete' || tree === undefined || first === undefined) return []
    const basis = [in_force.revision.id, first.path, first.why]
    return [{ kind: 'declare_again', to: { only }, ...causedBy(tree), basis, urgency: 'low' }]
  })
}

/** Any party can verify that the implementations work together. */
function verificationTurns({ in_force, works, verifications }: ContractEntity): Turns {
  const last = newestOf(works)
  if (in_force === undefined || last === undefined) return NO_TURNS
  const { id, parties } = in_force.revision
  const basis = [id, last.timestamp, ...verifications.map((one) => one.id).sort(compareText)]
  return {
    duties: parties.map((only) => ({ kind: 'verify_contract', to: { only }, ...causedBy(last), basis })),
    waits: [],
  }
}

/**
 * What was verified is to be verified again when files changed since; any party can do that. Whoever verified it without
 * evidence can bring some, which is not urgent.
 */
function proofTurns(contract: ContractEntity): Turns {
  const { in_force, trees } = contract
  const proof = proofOf(contract)
  if (in_force === undefined || proof === undefined) return NO_TURNS
  const { id, parties } = in_force.revision
  const [first] = proof.moved
  const tree = trees.find(({ repo_id }) => repo_id === first?.repoId)
  if (tree !== undefined) {
    const digests = trees.map(({ digest }) => digest)
    const basis = [id, first?.files[0] ?? 'a file', ...digests]
    return {
      duties: parties.map((only) => ({ kind: 'verify_again', to: { only }, ...causedBy(tree), basis })),
      waits: [],
    }
  }
  if (proof.best?.grade !== 'claimed') return NO_TURNS
  const { verification } = proof.best
  const only = verification.repo_id
  const basis = [id, '', verification.id]
  return {
    duties: [{ kind: 'verify_again', to: { only }, ...causedBy(verification), basis, urgency: 'low' }],
    waits: [],
  }
}

/** What somebody said is the cause of a duty, and since when. */
const causedBy = (said: By): Pick<Duty, 'by' | 'since'> => ({
  by: speakerOf(said),
  since: said.timestamp,
})

/** The newest of them; with place -1, the oldest. */
const newestOf = <One extends By>(dated: readonly One[], place = 0): One | undefined =>
  dated.toSorted(newestFirst).at(place)
