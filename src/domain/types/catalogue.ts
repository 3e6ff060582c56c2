import type { Declaration } from './declaration.ts'
import { Names } from './names.ts'

export type Catalogue = ReturnType<typeof catalogueOf>

/** What is declared in one file: names are given in the order in which contracts were proposed. */
export function catalogueOf(reserved: Iterable<string>) {
  const names = new Names(reserved)
  /** By what it is called and means: what several contracts declare alike is declared once. */
  const shared = new Map<string, string>()
  let declarations: Declaration[] = []
  const name = (wanted: string): string => names.take(wanted, 'Contract')

  return {
    name,

    declare(declaration: Declaration): void {
      declarations.push(declaration)
    },

    /** The name under which it is known, and whether it has to be declared yet. */
    nameShared(wanted: string, meaning: string | undefined): { name: string; isNew: boolean } {
      if (meaning === undefined) return { name: name(wanted), isNew: true }
      const known = shared.get(`${wanted} ${meaning}`)
      if (known !== undefined) return { name: known, isNew: false }
      const made = name(wanted)
      shared.set(`${wanted} ${meaning}`, made)
      return { name: made, isNew: true }
    },

    /** What was declared since this was last asked. */
    takeNew(): readonly Declaration[] {
      const taken = declarations
      declarations = []
      return taken
    },
  }
}
