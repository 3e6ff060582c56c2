import type { ResultOf } from '../../../methods/table.ts'
import { Icon } from '../../frame/icon.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Foreign, ForeignCode, Names, Quoted } from '../../text/foreign.tsx'
import { ROLLOUT_WORDS, VERDICT_WORDS } from '../../text/words.ts'

export type Review = NonNullable<ResultOf<'cacp/contract/diff'>['review']>

/** Whether consumers break, which of them, by what, and who has to go first. */
export function ReviewPanel({ review }: { readonly review: Review }) {
  const { verdict, rollout, changes, repos = [], missing = [], findings, why, truncated } = review
  // What the panel says already, it does not say again as what is missing.
  const isSaid = (text: string) =>
    [why, ...changes.map(({ say }) => say)].some((said) => said !== undefined && text.includes(said))
  return (
    <section
      class={`review ${verdict === undefined ? 'calm' : VERDICT_WORDS[verdict].tone}`}
      aria-label="Review"
    >
      <p class="review-verdict">
        {verdict === undefined ? (
          <span>There is nothing to compare it with.</span>
        ) : (
          <>
            <Tag said={VERDICT_WORDS[verdict]} />
            <span>
              {SENTENCES[verdict]}
              {rollout === undefined ? '' : `; ${ROLLOUT_WORDS[rollout]}`}.
            </span>
          </>
        )}
      </p>
      {why !== undefined && (
        <p class="quiet">
          The content is not understood as an interface: <Foreign text={why} />.
        </p>
      )}
      {missing
        .filter((one) => !isSaid(one))
        .map((one) => (
          <p key={one} class="quiet">
            <Foreign text={one} />
          </p>
        ))}
      {changes.length > 0 && (
        <ul class="review-changes">
          {changes.map((change) => (
            <li key={change.fingerprint}>
              <Tag said={VERDICT_WORDS[change.verdict]} />
              <span>
                <Foreign text={change.say} />
                {change.breaks !== undefined && change.breaks.length > 0 && (
                  <>
                    {' '}
                    — breaks <Names names={change.breaks} />
                  </>
                )}
                <ForeignCode class="path quiet" text={change.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {repos.length > 0 && (
        <ul class="review-repos">
          {repos.map((one) => (
            <li key={one.repo}>
              <Quoted text={one.repo} most={60} /> <Tag said={VERDICT_WORDS[one.verdict]} />
              <span class="quiet">
                {one.side}, has version {one.against.version}
                {one.site !== undefined && (
                  <>
                    , uses it in <Foreign text={one.site} />
                  </>
                )}
                {one.missing !== undefined && !isSaid(one.missing) && (
                  <>
                    ; <Foreign text={one.missing} />
                  </>
                )}
                {one.accepted !== undefined && `; it took on ${one.accepted.length} of the changes`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {findings.length > 0 && (
        <details>
          <summary>
            {findings.length} {findings.length === 1 ? 'remark' : 'remarks'} on the content
          </summary>
          <ul class="review-findings">
            {findings.map((finding) => (
              <li key={`${finding.rule} ${finding.at}`}>
                <Icon name="question" />
                <span>
                  <Foreign text={finding.say} /> <ForeignCode class="path quiet" text={finding.at} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {truncated && <p class="quiet">There is more; the worst is shown.</p>}
    </section>
  )
}

const SENTENCES = {
  compatible: 'Consumers that stay as they are go on working',
  breaking: 'Consumers that stay as they are break',
  unknown: 'Nobody can tell yet whether consumers break',
} as const
