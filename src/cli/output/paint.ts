import { styleText } from 'node:util'

type Colour = 'green' | 'yellow' | 'red' | 'bold' | 'dim'

export function paint(colour: Colour, text: string, { colour: isOn }: { colour: boolean }): string {
  // Node's own look at the stream comes too late: it cannot tell what the caller decided.
  return isOn ? styleText(colour, text, { validateStream: false }) : text
}

const GOOD = [
  'healthy',
  'approved',
  'agreed',
  'implemented',
  'verified',
  'complete',
  'success',
  'created',
  'completed',
]
const UNDER_WAY = [
  'proposed',
  'negotiating',
  'planning',
  'implementing',
  'integrating',
  'pending',
  'in_progress',
  'connecting',
]
const BAD = [
  'degraded',
  'rejected',
  'failure',
  'partial',
  'needs_revision',
  'error',
  'failing',
  'paused',
  'incompatible',
  'failed',
  'canceled',
  'conflict',
  'objection',
]
const OVER = ['withdrawn', 'retired', 'archived']

const MOODS: ReadonlyMap<string, Colour> = new Map([
  ...GOOD.map((word) => [word, 'green'] as const),
  ...UNDER_WAY.map((word) => [word, 'yellow'] as const),
  ...BAD.map((word) => [word, 'red'] as const),
  ...OVER.map((word) => [word, 'dim'] as const),
])

/** Colours a text that is exactly one of the protocol's status words, or a list of them. */
export function paintStatus(text: string, look: { colour: boolean }): string {
  const words = text.split(',').map((word) => ({ word, mood: MOODS.get(word) }))
  const painted = words.map(({ word, mood }) => (mood === undefined ? word : paint(mood, word, look)))
  return words.every(({ mood }) => mood !== undefined) ? painted.join(',') : text
}
