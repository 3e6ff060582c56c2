import { Budget, TooLarge } from '../interface/budget.ts'
import { pathNames } from '../interface/forms/http/operation-call.ts'
import type { Interface, Operation, Sender, Slot } from '../interface/model.ts'
import type { Catalogue } from './catalogue.ts'
import { ANY, type Field, type Type } from './declaration.ts'
import { declareGraphql } from './graphql-types.ts'
import { declareProto } from './proto-types.ts'
import { SchemaTypes } from './schema-types.ts'

/** What the types of one contract may take; it has at most 256 KiB. */
const MOST_STEPS = 200_000

/** Declares the types of a contract; says why there are none where there are none. */
export function declareContract(catalogue: Catalogue, name: string, read: Interface): string | undefined {
  if (read.form === 'opaque') return `not understood, because ${read.why ?? 'it is in no form that is known'}`
  if (read.graphql !== undefined) return declareGraphql(catalogue, read.graphql)
  if (read.protobuf !== undefined) return declareProto(catalogue, read.protobuf)
  try {
    new ContractTypes(catalogue, read).declare(name)
    return undefined
  } catch (error) {
    if (error instanceof TooLarge) return 'too large'
    throw error
  }
}

/** Values that are sent one by one, and belong together: parameters by their place, headers by their answer. */
const ONE_OF_MANY = /^(?<group>(?:path|query|header|cookie|params)|response\.[^.]+\.header)\.(?<name>.+)$/s

class ContractTypes {
  readonly #catalogue: Catalogue
  readonly #read: Interface
  readonly #budget = new Budget(MOST_STEPS)
  readonly #bySender = new Map<Sender, SchemaTypes>()

  constructor(catalogue: Catalogue, read: Interface) {
    this.#catalogue = catalogue
    this.#read = read
  }

  declare(name: string): void {
    const withSlots = this.#read.operations.filter(({ slots }) => slots.length > 0)
    for (const operation of withSlots)
      this.#operation(withSlots.length === 1 ? name : `${name} ${operation.key}`, operation)
  }

  #operation(name: string, operation: Operation): void {
    const groups = new Map<string, Field[]>()
    for (const slot of operation.slots) {
      const { group, name: field } = ONE_OF_MANY.exec(slot.at)?.groups ?? {}
      if (group !== undefined && field !== undefined) {
        const shown = group === 'path' ? (pathNames(this.#read, operation)[Number(field)] ?? field) : field
        const fields = groups.get(group) ?? []
        fields.push({ name: shown, type: this.#typeOf(slot, `${name} ${shown}`), isRequired: slot.required })
        groups.set(group, fields)
      } else if (slot.schema !== null && !/^(?:security|position)\b/.test(slot.at)) this.#whole(name, slot)
    }
    for (const [group, fields] of groups)
      this.#catalogue.declare({
        name: this.#catalogue.name(`${name} ${group}`),
        is: { fields, hasOthers: false },
      })
  }

  /** What is sent as a whole has a name by its place, which stays when what it refers to is called otherwise. */
  #whole(name: string, slot: Slot): void {
    const place = slot.at.replace(/^event\.|^model\b/, '')
    const own = this.#catalogue.name(`${name} ${place}`)
    const is = this.#typeOf(slot, own, own)
    if (is.shape.kind !== 'named' || is.shape.name !== own) this.#catalogue.declare({ name: own, is })
  }

  #typeOf({ schema, sender }: Slot, hint: string, as?: string): Type {
    if (schema === null) return ANY
    const side = this.#read.tellsDirections ? sender : 'both'
    const types = this.#bySender.get(side) ?? new SchemaTypes(this.#catalogue, this.#budget, side)
    this.#bySender.set(side, types)
    return types.typeOf([schema], hint, as)
  }
}
