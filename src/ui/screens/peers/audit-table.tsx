import { Ago } from '../../text/ago.tsx'
import { Foreign } from '../../text/foreign.tsx'
import { type AuditLine, type FoldedLine, foldLines } from './fold-lines.ts'

/** Who was let in to do what, the newest first. */
export function AuditTable({ lines }: { readonly lines: readonly AuditLine[] }) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th>When</th>
          <th>Outcome</th>
          <th>Who</th>
          <th>What</th>
          <th>From</th>
        </tr>
      </thead>
      <tbody>
        {foldLines(lines).map((folded) => (
          <AuditRow key={`${folded.since} ${folded.line.requestId} ${folded.line.what}`} folded={folded} />
        ))}
      </tbody>
    </table>
  )
}

function AuditRow({ folded: { line, times, since } }: { readonly folded: FoldedLine }) {
  const { at, outcome, fault, caller, agentId, from, what } = line
  return (
    <tr>
      <td data-label="When">
        <Ago at={at} />
      </td>
      <td data-label="Outcome">
        <span class={outcome === 'allowed' ? '' : 'refused-word'}>{outcome}</span>
        {fault !== undefined && <span class="quiet"> {fault}</span>}
        {times > 1 && (
          <span class="quiet">
            {' '}
            {times} times, first <Ago at={since} />
          </span>
        )}
      </td>
      <td data-label="Who">
        {caller}
        {agentId !== undefined && (
          <>
            {' '}
            <Foreign text={agentId} />
          </>
        )}
      </td>
      <td data-label="What">
        <code>
          <Foreign text={what} />
        </code>
      </td>
      <td data-label="From">{from === undefined ? '' : <Foreign text={from} />}</td>
    </tr>
  )
}
