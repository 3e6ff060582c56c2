type Row = Readonly<Record<string, unknown>>

/** Keys of a row that its marks replace. */
export const MARKED: ReadonlySet<string> = new Set([
  ...['withdrawn', 'retired', 'archived'],
  ...['conflicts', 'conflictCount', 'failed', 'endProposed'],
])

/** Marks for the unusual states of a contract or a project in a list. */
export function marksOn(row: Row): string[] {
  const { conflicts, conflictCount, objects, failed, endProposed, withdrawn, retired, archived } = row
  const marks = {
    conflict: isThere(conflicts) || Number(conflictCount ?? 0) > 0,
    objection: isThere(objects),
    failure: failed === true,
    'end proposed': endProposed === true,
    withdrawn: withdrawn === true,
    retired: retired === true,
    archived: archived === true,
  }
  return Object.entries(marks).flatMap(([mark, isSet]) => (isSet ? [mark] : []))
}

const isThere = (list: unknown): boolean => Array.isArray(list) && list.length > 0
