import type { Json } from '../../../protocol/json/json.ts'
import { type Atom, type Bound, isPlain, typeOfValue } from './atom.ts'

export type Fit = 'yes' | 'no' | 'unsure'

/** Whether a value is one of an atom's, as far as that can be said without running a pattern. Its enum is left out. */
export function fitOf(value: Json, atom: Atom): Fit {
  if (typeOfValue(value) !== atom.type) return 'no'
  if (atom.extras.size > 0) return 'unsure'
  if (typeof value === 'number') return fitOfNumber(value, atom)
  if (typeof value === 'string') return fitOfText(value, atom)
  if (typeof value !== 'object' || value === null) return 'yes'
  return isPlain(atom) ? 'yes' : 'unsure'
}

function fitOfNumber(value: number, { isInteger, low, high, steps, formats }: Atom): Fit {
  if (isInteger && !Number.isInteger(value)) return 'no'
  if (low !== null && !isAbove(value, low)) return 'no'
  if (high !== null && !isBelow(value, high)) return 'no'
  if (steps.some((step) => multipleFit(value, step) === 'no')) return 'no'
  return steps.some((step) => multipleFit(value, step) === 'unsure') || formats.length > 0 ? 'unsure' : 'yes'
}

const isAbove = (value: number, { value: bound, isOpen: open }: Bound): boolean =>
  open ? value > bound : value >= bound
const isBelow = (value: number, { value: bound, isOpen: open }: Bound): boolean =>
  open ? value < bound : value <= bound

/** Decimal fractions are not exact as numbers; only whole ones are decided. */
export function multipleFit(value: number, step: number): Fit {
  if (value === step || value === 0) return 'yes'
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0 ? 'yes' : 'no'
  const [large, small] = [value * 1e6, step * 1e6]
  const areWhole = Number.isSafeInteger(Math.round(large)) && Math.round(small) > 0
  const isExact =
    areWhole && Math.abs(large - Math.round(large)) < 1e-3 && Math.abs(small - Math.round(small)) < 1e-3
  if (!isExact) return 'unsure'
  return Math.round(large) % Math.round(small) === 0 ? 'yes' : 'no'
}

function fitOfText(value: string, { fewest, most, patterns, formats }: Atom): Fit {
  const isBound = fewest > 0 || most < Number.POSITIVE_INFINITY
  const length = isBound ? [...value].length : 0
  if (length < fewest || length > most) return 'no'
  return patterns.length > 0 || formats.length > 0 ? 'unsure' : 'yes'
}
