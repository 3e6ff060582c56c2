import { firstPosition } from '../../protocol/collections/first-position.ts'

/** The position of the first element after this sequence number, in a list sorted by it. */
export const positionAfter = (seq: number, order: readonly { readonly seq: number }[]): number =>
  firstPosition(order.length, (position) => (order[position]?.seq ?? 0) <= seq)
