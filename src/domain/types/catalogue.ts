import type { Declaration } from './declaration.ts'
import { Names } from './names.ts'

/** What is declared in one file: names are given in the order in which contracts were proposed. */
export class Catalogue {
  readonly #names: Names
  /** By what it is called and means: what several contracts declare alike is declared once. */
  readonly #shared = new Map<string, string>()
  #declarations: Declaration[] = []

  constructor(reserved: Iterable<string>) {
    this.#names = new Names(reserved)
  }

  name(wanted: string): string {
    return this.#names.take(wanted, 'Contract')
  }

  declare(declaration: Declaration): void {
    this.#declarations.push(declaration)
  }

  /** The name under which it is known, and whether it has to be declared yet. */
  nameShared(
    wanted: string,
    meaning: string | undefined,
  ): { readonly name: string; readonly isNew: boolean } {
    const key = `${wanted} ${meaning}`
    const known = meaning === undefined ? undefined : this.#shared.get(key)
    if (known !== undefined) return { name: known, isNew: false }
    const name = this.name(wanted)
    if (meaning !== undefined) this.#shared.set(key, name)
    return { name, isNew: true }
  }

  /** What was declared since this was last asked. */
  takeNew(): readonly Declaration[] {
    const taken = this.#declarations
    this.#declarations = []
    return taken
  }
}
