import { latest } from '../../protocol/stamp.ts'
import type { ContractStatus } from '../../protocol/words.ts'
import { bodyOf } from '../statements/kind.ts'
import { builtOn, openingOf, revision as revisionKind } from '../statements/revision.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { isParty, type Standing, standingsOf } from './agreement.ts'
import {
  answerEntity,
  type ContractParts,
  revisionEntity,
  verificationEntity,
  workEntity,
} from './contract-parts.ts'
import type { ContractEntity } from './entities.ts'
import { fulfilmentOf, statusOfAgreed } from './fulfilment.ts'
import { redactionsIn } from './redactions.ts'
import type { Speakers } from './speakers.ts'

/** Everything that was said about one contract, by kind. */
export interface SaidOfContract {
  readonly revisions: readonly Statement[]
  readonly answers: readonly Statement[]
  readonly works: readonly Statement[]
  readonly verifications: readonly Statement[]
  readonly withdrawals: readonly Statement[]
  readonly redactions: readonly Statement[]
}

/** What a contract has to know of its project. */
export interface ProjectContext {
  readonly speakers: Speakers
  /** Whether a repo belongs to it: one that was removed is not waited for. */
  readonly isPresent: (repoId: string) => boolean
}

/** Undefined when nobody who counts has opened it. */
export function foldContract(said: SaidOfContract, context: ProjectContext): ContractEntity | undefined {
  const { speakers } = context
  const standings = standingsOf({ ...said, ...context })
  const [opening] = standings
  const head = standings.at(-1)
  if (opening === undefined || head === undefined) return undefined
  const byId = new Map(standings.map((one) => [one.statement.id, one]))
  const counts = (statement: Statement) => hasVoice(statement, byId, speakers)
  const [answers, works, verifications] = [said.answers, said.works, said.verifications].map((list) =>
    list.filter(counts).sort(byTime),
  ) as [Statement[], Statement[], Statement[]]
  const fulfilment = fulfilmentOf({ works, verifications, speakers })
  const lastAgreed = standings.findLast(({ isAgreed }) => isAgreed)
  const inForce = lastAgreed === undefined || isRetiring(lastAgreed) ? undefined : lastAgreed
  const redacted = redactionsIn(said.redactions, speakers)
  if (inForce !== undefined) redacted.delete(inForce.statement.id)

  const parts: ContractParts = { speakers, redacted, standings: byId, fulfilment }
  const entities = new Map(standings.map((one) => [one, revisionEntity(one, parts)]))
  const entityOf = (one: Standing) => entities.get(one) ?? revisionEntity(one, parts)
  const statusInForce = inForce && statusOfAgreed(inForce.statement.id, inForce.parties, fulfilment)
  const objections = objectorsTo(head)
  const { type, name } = openingOf(opening.statement)
  const effective = [...standings.map(({ statement }) => statement), ...answers, ...works, ...verifications]
  return {
    contract_id: opening.statement.about,
    type,
    name,
    created_at: opening.statement.at,
    created_by: opening.author,
    status:
      objections.length > 0 ? 'negotiating' : head === lastAgreed ? (statusInForce ?? 'agreed') : 'proposed',
    revisions: [...entities.values()],
    head: entityOf(head),
    in_force: inForce && { revision: entityOf(inForce), status: statusInForce as ContractStatus },
    conflicts: otherEnds(standings, head).map(entityOf),
    objections,
    unanswered: head.needed.filter((repoId) => repoId !== head.author && !head.answers.has(repoId)),
    is_withdrawn: lastAgreed === undefined && isWithdrawn(said.withdrawals, opening, speakers),
    is_retired: lastAgreed !== undefined && inForce === undefined,
    answers: answers.map((one) => answerEntity(one, parts)),
    works: fulfilment.newest.map((one) => workEntity(one, parts)),
    verifications: verifications.map((one) => verificationEntity(one, parts)),
    without_effect: withoutEffect(said, new Set(effective)),
    updated_at: latest(effective.map(({ at }) => at)),
  }
}

/** Whether something about a version was said by one of its parties, who speaks for it. */
function hasVoice(
  statement: Statement,
  standings: ReadonlyMap<string, Standing>,
  speakers: Speakers,
): boolean {
  const standing = standings.get(String(statement.body['revision']))
  const { repo_id, counts } = speakers.wordOf(statement)
  return standing !== undefined && counts && repo_id !== null && isParty(standing, repo_id)
}

function isRetiring({ statement }: Standing): boolean {
  const body = bodyOf(revisionKind, statement)
  return body.parent !== null && body.retire === true
}

/** Repos whose newest answer is no. A later no unseats nothing that was agreed, but it stands until it is met. */
function objectorsTo({ answers }: Standing): string[] {
  return [...answers]
    .filter(([, given]) => given.at(-1)?.body['action'] !== 'agree')
    .map(([repoId]) => repoId)
    .sort()
}

/** Versions that nobody built on, besides the head: the other sides of updates that did not know of each other. */
function otherEnds(standings: readonly Standing[], head: Standing): Standing[] {
  const followed = new Set(standings.flatMap(({ statement }) => builtOn(bodyOf(revisionKind, statement))))
  return standings.filter((one) => one !== head && !followed.has(one.statement.id))
}

const isWithdrawn = (withdrawals: readonly Statement[], { author }: Standing, speakers: Speakers): boolean =>
  withdrawals.some((one) => {
    const { repo_id, counts } = speakers.wordOf(one)
    return counts && repo_id === author
  })

function withoutEffect(
  { revisions, answers, works, verifications }: SaidOfContract,
  effective: ReadonlySet<Statement>,
): string[] {
  return [revisions, answers, works, verifications]
    .flat()
    .filter((one) => !effective.has(one))
    .sort(byTime)
    .map(({ id }) => id)
}
