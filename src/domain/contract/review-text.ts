import { MOST_CHANGES, type Rollout } from '../interface/model.ts'
import type { ContractReview } from './review-shape.ts'

export const ROLLOUT_TEXTS: Readonly<Record<Rollout, string>> = {
  any: 'both sides may go first',
  provider_first: 'the provider has to go first',
  consumers_first: 'consumers have to go first',
  together: 'both sides have to go together, or both versions have to be kept',
}

/** The verdict in one line. */
export function headline({ verdict, against, form, why, changes, truncated }: ContractReview): string {
  const understood = form === 'opaque' && why !== undefined ? `, not understood: ${why}` : ''
  if (verdict === undefined) return `no verdict: nothing is in force to compare with (${form}${understood})`
  const compared = against === undefined ? '' : ` against version ${against.version}`
  const atLeast = truncated === true && changes.length >= MOST_CHANGES ? 'at least ' : ''
  const counted = changes.length === 1 ? '1 change' : `${atLeast}${changes.length || 'no'} changes`
  return `${verdict}: ${counted}${compared} (${form}${understood})`
}

/** What is said about a place, after the place. */
export const placed = ({ at, say }: { readonly at: string; readonly say: string }): string =>
  at === '' ? say : `${at}: ${say}`
