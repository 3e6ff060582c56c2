export interface Measures {
  readonly nodeWidth: number
  readonly nodeHeight: number
  readonly rowGap: number
  readonly columnGap: number
  /** Around the picture; above it there is also the heading of each column. */
  readonly margin: number
  readonly heading: number
}

export const WIDE: Measures = {
  nodeWidth: 184,
  nodeHeight: 48,
  rowGap: 20,
  columnGap: 132,
  margin: 16,
  heading: 28,
}
/** Two columns of these stand beside each other on a telephone. */
export const NARROW: Measures = { ...WIDE, nodeWidth: 116, columnGap: 64, margin: 8 }

export interface Point {
  readonly x: number
  readonly y: number
}
