/** The columns of the map, from left to right: what serves others stands left of what uses it. */
export const COLUMNS = ['Infrastructure', 'Backend', 'Shared and others', 'Frontend'] as const

const COLUMN_OF: Readonly<Record<string, number>> = {
  infra: 0,
  infrastructure: 0,
  devops: 0,
  backend: 1,
  shared: 2,
  frontend: 3,
  mobile: 3,
}
const OTHERS = 2

/** Which column a role belongs to; a role may be any word. */
export const columnOf = (role: string): number => {
  const word = role.trim().toLowerCase()
  return Object.hasOwn(COLUMN_OF, word) ? (COLUMN_OF[word] ?? OTHERS) : OTHERS
}
