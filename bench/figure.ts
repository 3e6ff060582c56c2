/** One line of the result: what we reach, beside what, and whether that is enough. */
export interface Figure {
  name: string
  unit: 'requests/s' | 'contracts/s' | 'deltas/s' | 'ms' | 'bytes' | 'pairs' | 'rows'
  ours: number
  comparedWith: { name: string; value: number }
  /** Which way it is taken depends on the goal, and stands in the name. */
  ratio: number
  goal: Goal | null
  met: boolean | null
  /** What else must be known to read the figure honestly. */
  notes: string[]
}

/** Of the ratio, or of our own value. */
export type Goal = { of: 'ratio' | 'ours'; least: number } | { of: 'ratio' | 'ours'; most: number }

export function figure(facts: Omit<Figure, 'met'>): Figure {
  const { goal } = facts
  if (goal === null) return { ...facts, met: null }
  const value = facts[goal.of]
  return { ...facts, met: 'least' in goal ? value >= goal.least : value <= goal.most }
}
