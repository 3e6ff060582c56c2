import type { ReplicationRules } from '../rules.ts'

/** The same in batches of bounded number and length, each made when it is asked for. */
export function* batchesOf<One>(
  all: readonly One[],
  lengthOf: (one: One) => number,
  { batchItems, batchBytes }: Pick<ReplicationRules, 'batchItems' | 'batchBytes'>,
): Iterable<readonly One[]> {
  let batch: One[] = []
  let chars = 0
  for (const one of all) {
    if (batch.length >= batchItems || chars >= batchBytes) {
      yield batch
      batch = []
      chars = 0
    }
    batch.push(one)
    chars += lengthOf(one)
  }
  if (batch.length > 0) yield batch
}
