import type { OpaquePart, Slot } from '../../model.ts'

/** What an operation consists of, while it is read. */
export interface Parts {
  readonly slots: Slot[]
  readonly opaque: OpaquePart[]
}
