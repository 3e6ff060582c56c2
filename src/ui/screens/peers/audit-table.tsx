import { type Column, Table } from '../../frame/table.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, ForeignCode } from '../../text/foreign.tsx'
import { type AuditLine, type FoldedLine, foldLines } from './fold-lines.ts'

/** Who was let in to do what, the newest first. */
export function AuditTable({ lines }: { readonly lines: readonly AuditLine[] }) {
  return (
    <Table
      columns={COLUMNS}
      rows={foldLines(lines)}
      keyOf={({ since, line }) => `${since} ${line.requestId} ${line.what}`}
    />
  )
}

const COLUMNS: readonly Column<FoldedLine>[] = [
  { name: 'When', cell: ({ line: { at } }) => <Ago at={at} /> },
  {
    name: 'Outcome',
    cell: ({ line: { outcome, fault }, times, since }) => (
      <>
        <span class={outcome === 'allowed' ? undefined : 'refused-word'}>{outcome}</span>
        <span class="quiet">
          {fault !== undefined && ` ${fault}`}
          {times > 1 && (
            <>
              {' '}
              {times} times, first <Ago at={since} />
            </>
          )}
        </span>
      </>
    ),
  },
  {
    name: 'Who',
    cell: ({ line: { caller, agentId } }) => (
      <>
        {caller} {agentId !== undefined && <Foreign text={agentId} />}
      </>
    ),
  },
  {
    name: 'What',
    cell: ({ line: { what } }) => <ForeignCode text={what} />,
  },
  { name: 'From', cell: ({ line: { from } }) => from !== undefined && <Foreign text={from} /> },
]
