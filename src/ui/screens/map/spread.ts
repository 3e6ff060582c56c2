/**
 * Places from the top, each as near to where it should be as the order and the distances allow. Whatever pushes against
 * each other becomes one block, which stands where its members should be on average.
 */
export function spread(wanted: readonly number[], distances: readonly number[]): number[] {
  const offsets: number[] = []
  let offset = 0
  for (const [index] of wanted.entries()) {
    offsets.push(offset)
    offset += distances[index] ?? 0
  }
  const blocks: { sum: number; count: number }[] = []
  for (const [index, place] of wanted.entries()) {
    let block = { sum: place - (offsets[index] ?? 0), count: 1 }
    for (let above = blocks.at(-1); above !== undefined && isAbove(block, above); above = blocks.at(-1)) {
      blocks.pop()
      block = { sum: block.sum + above.sum, count: block.count + above.count }
    }
    blocks.push(block)
  }
  const bases = blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
  return bases.map((base, index) => base + (offsets[index] ?? 0))
}

type Block = { readonly sum: number; readonly count: number }

const isAbove = (block: Block, above: Block): boolean => block.sum / block.count < above.sum / above.count
