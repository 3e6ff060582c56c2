import { Part } from '../../frame/part.tsx'
import { Tag } from '../../frame/tag.tsx'
import { useSome } from '../../list/use-some.tsx'
import { Ago } from '../../text/ago.tsx'
import { Quoted } from '../../text/foreign.tsx'
import { fullTime } from '../../text/time.ts'
import { ANSWER_WORDS, CHECK_WORDS, DELIVERY_WORDS, WORK_WORDS } from '../../text/words.ts'
import type { PartyRow } from './reading.ts'

const PAGE = 20

/** Each party and how far it is: its answer, its part of the work, its test, and whether it has what is here. */
export function Parties({ rows }: { readonly rows: readonly PartyRow[] }) {
  const { some, more } = useSome(rows, PAGE)
  return (
    <Part title="Parties" class="panel">
      <table class="parties">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Repository</th>
            <th scope="col">Answer</th>
            <th scope="col">Implementation</th>
            <th scope="col">Verification</th>
            <th scope="col">Delivery</th>
          </tr>
        </thead>
        <tbody>
          {some.map((row) => (
            <tr key={row.repoId}>
              <th scope="row">
                <Quoted text={row.name} most={60} />
                {row.isOwn && <span class="quiet"> this repository</span>}
              </th>
              <td data-label="Answer">
                <Tag said={ANSWER_WORDS[row.answer]} />
                {row.isByPerson && <span class="quiet"> a person</span>}{' '}
                {row.answeredAt !== undefined && <Ago at={row.answeredAt} />}
              </td>
              <td data-label="Implementation">
                <Tag said={WORK_WORDS[row.work?.status ?? 'pending']} />
              </td>
              <td data-label="Verification">
                {row.check === undefined ? (
                  <span class="quiet">not yet</span>
                ) : (
                  <Tag said={CHECK_WORDS[row.check.result]} />
                )}
              </td>
              <td data-label="Delivery">
                <DeliveryState row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </Part>
  )
}

function DeliveryState({ row: { delivery, isOwn } }: { readonly row: PartyRow }) {
  if (isOwn) return <span class="quiet">here</span>
  if (delivery === undefined) return <span class="quiet">changed it last</span>
  const at = delivery.seen_at ?? delivery.replicated_at
  return <Tag said={DELIVERY_WORDS[delivery.state]} note={at === undefined ? undefined : fullTime(at)} />
}
