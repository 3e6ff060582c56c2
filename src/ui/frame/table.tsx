import type { ComponentChildren } from 'preact'
import { useSome } from '../list/use-some.tsx'

export interface Column<Row> {
  readonly name: string
  readonly isNumber?: boolean
  /** The column of buttons: its name is only heard. */
  readonly isActs?: boolean
  cell(row: Row): ComponentChildren
}

interface TableProps<Row> {
  readonly caption?: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  keyOf(row: Row): string
}

/** Of so many rows a page can have several tables and is still fast. */
const PAGE = 30

/** Rows of the same kind, the first of them at once. On a small screen each row is a block, in which every cell says what it is. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  const { some, more } = useSome(rows, PAGE)
  return (
    <>
      <table class="table">
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ name, isNumber, isActs }) => (
              <th key={name} scope="col" class={isNumber ? 'number' : undefined}>
                {isActs ? <span class="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {some.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, isNumber, isActs, cell }) => (
                <td
                  key={name}
                  data-label={isActs ? undefined : name}
                  class={isActs ? 'acts' : isNumber ? 'number' : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  )
}
