import type { Difference } from '../model.ts'
import type { Normal } from './atom.ts'

/** What has another value when it is left out behaves differently for those who leave it out. */
export function defaultDifferences(before: Normal, after: Normal): Difference[] {
  const old = before.fallback
  const now = after.fallback
  if (old === now || JSON.stringify(old) === JSON.stringify(now)) return []
  return [
    {
      path: '',
      kind: 'default-changed',
      narrows: 'depends',
      widens: 'no',
      ...(old === undefined ? {} : { before: old }),
      ...(now === undefined ? {} : { after: now }),
    },
  ]
}
