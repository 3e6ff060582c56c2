import { idOf, readStatement, type Statement, textOf } from '../../src/domain/statements/statement.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import type { Dice } from './dice.ts'

/** Stands in everything that is forged. */
export const FORGED = 'FORGED-ON-THE-WIRE'

type Forgery = (statement: Statement, other: string) => object

/** Statements that nobody signed, made of one that somebody did. */
const FORGERIES: readonly Forgery[] = [
  (one) => withTrueId({ ...one, body: { ...one.body, note: FORGED } }),
  (one) => ({ ...one, body: { ...one.body, note: FORGED } }),
  (one) => withTrueId({ ...one, at: '2020-01-01T00:00:00.000000Z' as never, body: marked(one) }),
  (one, other) => withTrueId({ ...one, project_id: other, body: marked(one) }),
  (one) => withTrueId({ ...one, about: FORGED }),
  (one) => ({ ...one, sig: one.sig.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), extra: FORGED }),
  ({ sig, ...one }) => ({ ...one, extra: FORGED }),
  (one) => (one.content === undefined ? withTrueId({ ...one, body: marked(one) }) : withOther(one)),
]

const marked = ({ body }: Statement): JsonObject => ({ ...body, note: FORGED })

function withTrueId({ id: _, sig, ...said }: Statement): Statement {
  return { ...said, id: idOf(said), sig }
}

const withOther = (one: Statement): Statement =>
  withTrueId({
    ...one,
    content: { salt: 'AAAAAAAAAAAAAAAAAAAAAA', value: { value: { tag: FORGED }, note: FORGED } },
  })

/**
 * Somebody between two daemons, who alters what goes by. Where only cursors are at work it puts its own beside what it
 * found: whoever is told that a statement was refused does not send it again before states are compared.
 */
export class Forger {
  readonly #dice: Dice
  readonly #replaces: boolean
  readonly #seen: Statement[] = []

  constructor(dice: Dice, { replaces }: { replaces: boolean }) {
    this.#dice = dice
    this.#replaces = replaces
  }

  /** A body on its way, or another one in its place. */
  readonly alter = (body: string): string => {
    if (!body.includes('"statements":[') || !this.#dice.chance(0.3)) return body
    try {
      const calls = JSON.parse(body) as { params?: Carrying; result?: Carrying }[]
      for (const { params, result } of calls) for (const one of [params, result]) if (one) this.#forge(one)
      return JSON.stringify(calls)
    } catch {
      return body
    }
  }

  /** Undefined when the text is no statement. */
  forgedOf(text: string): string | undefined {
    const read = readStatement(text)
    if (!('statement' in read)) return undefined
    this.#seen.push(read.statement)
    const other = this.#dice.pick(this.#seen)
    return textOf(this.#dice.pick(FORGERIES)(read.statement, other.project_id) as Statement)
  }

  #forge(carrying: Carrying): void {
    const { statements } = carrying
    if (!Array.isArray(statements) || statements.length === 0) return
    const index = this.#dice.between(0, statements.length - 1)
    const forged = this.forgedOf(statements[index] ?? '')
    if (forged === undefined) return
    if (this.#replaces) statements[index] = forged
    else statements.splice(index, 0, forged)
  }
}

interface Carrying {
  statements?: string[]
}
