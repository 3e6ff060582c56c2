import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { repoName } from '../contract/next-step.ts'
import { reviewChange } from '../contract/review.ts'
import type { ContractReview } from '../contract/review-shape.ts'
import { headline, placed, ROLLOUT_TEXTS } from '../contract/review-text.ts'
import { listed } from '../names/listed.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity } from '../views/entities.ts'
import { contractSource, type Passage } from './report.ts'

/** What breaks if a contract becomes the given content, or else what is proposed of it; as text and as data. */
export interface ReviewReport {
  readonly passages: readonly Passage[]
  readonly output: JsonObject
}

const MOST_REPOS_NAMED = 5

/** Whether a change of the contract is proposed, beside what is in force. */
export const isChanging = ({ in_force, head, is_withdrawn, is_retired }: ContractEntity): boolean =>
  in_force !== undefined && in_force.revision.id !== head.id && !is_withdrawn && !is_retired

export function reportReview(
  contract: ContractEntity,
  found: ProjectView,
  content: JsonObject | undefined,
): ReviewReport {
  const { name, head } = contract
  const inForce = contract.in_force?.revision
  const said = (text: string, review?: ContractReview): ReviewReport => ({
    passages: [
      { text, sources: [contractSource(contract)] },
      ...(review === undefined ? [] : detailsOf(review).map((line) => ({ text: `- ${line}`, sources: [] }))),
    ],
    output: {
      contract_id: contract.contract_id,
      name,
      ...(review === undefined ? {} : { review: asJson(review) }),
    },
  })
  if (inForce === undefined)
    return said(`Nothing of contract ${name} was ever agreed, so that a change of it breaks nobody.`)
  if (content === undefined && !isChanging(contract))
    return said(
      `Version ${inForce.version} of contract ${name} is in force, and no change of it is proposed, so that nothing breaks. Name the content that it would become.`,
    )
  const proposed = content === undefined ? head : { content, retire: false }
  const author = content === undefined ? head.repo_id : undefined
  const review = reviewChange({ found, contract, before: inForce, after: proposed, author })
  const subject =
    content === undefined
      ? `Version ${head.version} of contract ${name}, which ${repoName(found, head.repo_id)} proposes,`
      : `This content as a change of contract ${name}`
  const report = said(`${subject} is ${headline(review)}.`, review)
  return content === undefined ? { ...report, passages: [...report.passages, ABOUT_PROPOSED] } : report
}

/** Words such as `drops the email` are not understood as a change. */
const ABOUT_PROPOSED: Passage = {
  text: '- This is about what is proposed: for any other change, name the content that the contract would become',
  sources: [],
}

function detailsOf({ changes, missing = [], rollout, truncated }: ContractReview): string[] {
  return [
    ...changes
      .filter(({ verdict }) => verdict === 'breaking')
      .map(
        (change) =>
          `It breaks ${listed(change.breaks ?? [], MOST_REPOS_NAMED) || 'consumers'}: ${placed(change)}`,
      ),
    ...missing.map((text) => `Not known: ${text}`),
    ...(truncated === true ? ['There are more changes than these'] : []),
    ...(rollout === undefined || changes.length === 0 ? [] : [`Rollout: ${ROLLOUT_TEXTS[rollout]}`]),
  ]
}

/** What came from JSON and is made of plain values is JSON. */
const asJson = (review: ContractReview): Json => review as unknown as Json
