import { defined } from '../../../protocol/collections/defined.ts'
import { change } from '../difference.ts'
import type { Difference } from '../model.ts'
import type { Normal } from './atom.ts'

/** What has another value when it is left out behaves differently for those who leave it out. */
export function defaultDifferences({ fallback: before }: Normal, { fallback: after }: Normal): Difference[] {
  if (before === after || JSON.stringify(before) === JSON.stringify(after)) return []
  return [change('default-changed', 'depends', 'no', defined({ before, after }))]
}
