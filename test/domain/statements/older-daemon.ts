import type { Kind } from '../../../src/domain/statements/kind.ts'
import { KINDS } from '../../../src/domain/statements/kinds.ts'

/** What a daemon does that does not know this kind of statement. Nothing else may run meanwhile. */
export async function unknowing<Done>(name: string, act: () => Done | Promise<Done>): Promise<Done> {
  const kinds = KINDS as Map<string, Kind>
  const known = kinds.get(name)
  if (known === undefined) throw new TypeError(`${name} is no kind`)
  kinds.delete(name)
  try {
    return await act()
  } finally {
    kinds.set(name, known)
  }
}
