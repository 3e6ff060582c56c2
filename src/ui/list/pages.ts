/** A list that is loaded page by page and does not move under who reads it. */
export interface Listed<Row> {
  readonly rows: readonly Row[]
  /** Where the next page begins; undefined: this is all. */
  readonly next: string | undefined
  /** How many rows came to the front since; they are shown when somebody asks for them. */
  readonly newer: number
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: string | undefined
}

export const firstPage = <Row>({ rows, next }: Page<Row>): Listed<Row> => ({ rows, next, newer: 0 })

/** The list after its first page was told again: rows change in their place, and new ones are counted, unless nobody reads any. */
export function withFresh<Row>(
  listed: Listed<Row>,
  fresh: Page<Row>,
  idOf: (row: Row) => string,
): Listed<Row> {
  if (listed.rows.length === 0) return firstPage(fresh)
  const byId = new Map(fresh.rows.map((row) => [idOf(row), row]))
  const rows = listed.rows.map((row) => byId.get(idOf(row)) ?? row)
  const known = new Set(listed.rows.map(idOf))
  return { rows, next: listed.next, newer: fresh.rows.filter((row) => !known.has(idOf(row))).length }
}

/** The list with its next page; what is there already is not repeated. */
export function withNext<Row>(listed: Listed<Row>, page: Page<Row>, idOf: (row: Row) => string): Listed<Row> {
  const known = new Set(listed.rows.map(idOf))
  return {
    ...listed,
    rows: [...listed.rows, ...page.rows.filter((row) => !known.has(idOf(row)))],
    next: page.next,
  }
}
