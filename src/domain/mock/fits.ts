import type { Json } from '../../protocol/json/json.ts'
import type { Slot } from '../interface/model.ts'

/** Something in a message that is not as the contract says. */
export interface Misfit {
  /** Such as `request.body.email`. */
  readonly at: string
  /** Goes on after the place: `is required`. */
  readonly problem: string
}

/** Compares values with the schemas of places. Undefined: nobody can say, because the schema cannot be used. */
export interface Fits {
  value(slot: Slot, value: Json): readonly Misfit[] | undefined
  /** What stands in a path, a query or a header is text, whatever its type is. */
  texts(slot: Slot, texts: readonly string[]): readonly Misfit[] | undefined
}
