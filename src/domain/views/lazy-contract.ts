import type { Statement } from '../statements/statement.ts'
import type { ContractEntity, ContractHistory } from './entities.ts'

/** The parts of a contract that are built only on demand. */
export interface ContractHistorySource
  extends Pick<ContractEntity, 'recent' | 'answer' | 'implementedBy' | 'acceptances'> {
  history(): ContractHistory
  before(): ContractEntity | undefined
}

type CurrentState = Omit<ContractEntity, keyof ContractHistorySource>

/** Most callers read only the current state of a contract, so its history is not kept with it. */
class LazyContract {
  readonly #source: () => ContractHistorySource
  #history: WeakRef<ContractHistory> | undefined
  #before: { readonly entity: ContractEntity | undefined } | undefined

  constructor(values: CurrentState, source: () => ContractHistorySource) {
    Object.assign(this, values)
    this.#source = source
  }

  get history(): ContractHistory {
    const known = this.#history?.deref()
    if (known !== undefined) return known
    const history = this.#source().history()
    this.#history = new WeakRef(history)
    return history
  }

  get before(): ContractEntity | undefined {
    this.#before ??= { entity: this.#source().before() }
    return this.#before.entity
  }

  recent(most: number, before?: string) {
    return this.#source().recent(most, before)
  }

  answer(statement: Statement) {
    return this.#source().answer(statement)
  }

  implementedBy(repoId: string) {
    return this.#source().implementedBy(repoId)
  }

  acceptances(repoId: string, against: string) {
    return this.#source().acceptances(repoId, against)
  }
}

export const lazyContract = (values: CurrentState, source: () => ContractHistorySource): ContractEntity =>
  new LazyContract(values, source) as unknown as ContractEntity
