import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { Budget, TooLarge } from '../interface/budget.ts'
import { pathNames } from '../interface/forms/http/operation-call.ts'
import type { Interface, Operation, Sender, Slot } from '../interface/model.ts'
import type { Catalogue } from './catalogue.ts'
import { ANY, type Field, type Type } from './declaration.ts'
import { declareGraphql } from './graphql-types.ts'
import { declareProto } from './proto-types.ts'
import { schemaTypes } from './schema-types.ts'

/** What the types of one contract may take; it has at most 256 KiB. */
const MOST_STEPS = 200_000

/** Declares the types of a contract; says why there are none where there are none. */
export function declareContract(catalogue: Catalogue, name: string, read: Interface): string | undefined {
  if (read.form === 'opaque') return `not understood, because ${read.why ?? 'it is in no form that is known'}`
  if (read.graphql !== undefined) return declareGraphql(catalogue, read.graphql)
  if (read.protobuf !== undefined) return declareProto(catalogue, read.protobuf)
  try {
    declareTypes(catalogue, name, read)
    return undefined
  } catch (error) {
    if (error instanceof TooLarge) return 'too large'
    throw error
  }
}

/** Values that are sent one by one, and belong together: parameters by their place, headers by their answer. */
const ONE_OF_MANY = /^(?<group>(?:path|query|header|cookie|params)|response\.[^.]+\.header)\.(?<name>.+)$/s

function declareTypes(catalogue: Catalogue, name: string, read: Interface): void {
  const budget = new Budget(MOST_STEPS)
  const bySender = new Map<Sender, ReturnType<typeof schemaTypes>>()
  const typeOf = ({ schema, sender }: Slot, hint: string, as?: string): Type => {
    if (schema === null) return ANY
    const side = read.tellsDirections ? sender : 'both'
    return getOrAdd(bySender, side, () => schemaTypes(catalogue, budget, side))([schema], hint, as)
  }
  /** What is sent as a whole has a name by its place, which stays when what it refers to is called otherwise. */
  const declareWhole = (around: string, slot: Slot): void => {
    const own = catalogue.name(`${around} ${slot.at.replace(/^event\.|^model\b/, '')}`)
    const is = typeOf(slot, own, own)
    if (is.shape.kind !== 'named' || is.shape.name !== own) catalogue.declare({ name: own, is })
  }
  const declareOperation = (around: string, operation: Operation): void => {
    const groups = new Map<string, Field[]>()
    for (const slot of operation.slots) {
      const { group, name: field } = ONE_OF_MANY.exec(slot.at)?.groups ?? {}
      if (group !== undefined && field !== undefined) {
        const shown = group === 'path' ? (pathNames(read, operation)[Number(field)] ?? field) : field
        const type = typeOf(slot, `${around} ${shown}`)
        getOrAdd(groups, group, () => []).push({ name: shown, type, isRequired: slot.required })
      } else if (slot.schema !== null && !/^(?:security|position)\b/.test(slot.at)) declareWhole(around, slot)
    }
    for (const [group, fields] of groups)
      catalogue.declare({ name: catalogue.name(`${around} ${group}`), is: { fields, hasOthers: false } })
  }
  const withSlots = read.operations.filter(({ slots }) => slots.length > 0)
  for (const operation of withSlots)
    declareOperation(withSlots.length === 1 ? name : `${name} ${operation.key}`, operation)
}
