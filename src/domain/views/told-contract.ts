import type { Statement } from '../statements/statement.ts'
import type { AnswerEntity, ContractEntity, ContractHistory, RecentHistory } from './entities.ts'

/** What a contract tells only those who ask. */
export interface ContractTeller {
  history(): ContractHistory
  recent(most: number, before?: string): RecentHistory
  before(): ContractEntity | undefined
  answer(statement: Statement): AnswerEntity | undefined
}

type Bounded = Omit<ContractEntity, keyof ContractTeller>

/** Of most contracts nobody asks for more than how they stand, so that nothing else is kept with that. */
class ToldContract {
  readonly #teller: () => ContractTeller
  #history: WeakRef<ContractHistory> | undefined
  #before: { readonly entity: ContractEntity | undefined } | undefined

  constructor(values: Bounded, teller: () => ContractTeller) {
    Object.assign(this, values)
    this.#teller = teller
  }

  get history(): ContractHistory {
    const known = this.#history?.deref()
    if (known !== undefined) return known
    const history = this.#teller().history()
    this.#history = new WeakRef(history)
    return history
  }

  get before(): ContractEntity | undefined {
    this.#before ??= { entity: this.#teller().before() }
    return this.#before.entity
  }

  recent(most: number, before?: string): RecentHistory {
    return this.#teller().recent(most, before)
  }

  answer(statement: Statement): AnswerEntity | undefined {
    return this.#teller().answer(statement)
  }
}

export const toldContract = (values: Bounded, teller: () => ContractTeller): ContractEntity =>
  new ToldContract(values, teller) as unknown as ContractEntity
