import type { Json, JsonObject } from '../../../protocol/json/json.ts'
import type { Source } from './source.ts'

/**
 * The normal form of a schema: a list of atoms, each of one type, of which a value has to fit one. However null,
 * choices of types or unions are spelled, the same meaning has the same atoms. What is inside properties and lists
 * stays a source until somebody looks, for it may lead back here.
 */
export interface Normal {
  readonly atoms: readonly Atom[]
  /** A value must fit one alone (`oneOf`). Told only where the parts are more than one of the same type. */
  readonly isExclusive: boolean
  /** What could not be read; the atoms then say too much. */
  readonly unread: readonly string[]
  /** Notes in words beside a type, which may be conditions. */
  readonly notes: readonly string[]
  readonly fallback: Json | undefined
}

export const ATOM_TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
export type AtomType = (typeof ATOM_TYPES)[number]

export interface Bound {
  readonly value: number
  readonly isOpen: boolean
}

export interface Atom {
  readonly type: AtomType
  /** No `type` was written, and other keywords speak of another type: most likely this one was not meant. */
  readonly isUnsaid: boolean
  readonly isInteger: boolean
  /** Read from an example, of which nobody knows whether 42 stands for all numbers. */
  readonly isExample: boolean
  /** By canonical text; null: any. */
  readonly values: ReadonlyMap<string, Json> | null
  readonly low: Bound | null
  readonly high: Bound | null
  readonly steps: readonly number[]
  /** Of characters, elements or properties. */
  readonly fewest: number
  readonly most: number
  readonly patterns: readonly string[]
  readonly formats: readonly string[]
  readonly isUnique: boolean
  readonly first: readonly Source[]
  readonly items: Source | 'none'
  readonly properties: ReadonlyMap<string, Source>
  readonly required: ReadonlySet<string>
  readonly others: Source | 'none'
  /** Keywords that are compared as text only: keyword and text → keyword. */
  readonly extras: ReadonlyMap<string, string>
  /** Title and names of references that led here. */
  readonly names: readonly string[]
  /** A property of a union tells its parts apart (`discriminator`). */
  readonly tag: string | null
}

const FREE: Omit<Atom, 'type'> = {
  isUnsaid: false,
  isInteger: false,
  isExample: false,
  values: null,
  low: null,
  high: null,
  steps: [],
  fewest: 0,
  most: Number.POSITIVE_INFINITY,
  patterns: [],
  formats: [],
  isUnique: false,
  first: [],
  items: [],
  properties: new Map(),
  required: new Set(),
  others: [],
  extras: new Map(),
  names: [],
  tag: null,
}

const FREE_ATOMS = new Map<AtomType, Atom>(ATOM_TYPES.map((type) => [type, { ...FREE, type }]))

/**
 * The atom that takes every value of a type; always the same object, for most atoms begin as it. It is not frozen: to
 * copy what is frozen takes forty times as long.
 */
export const freeAtom = (type: AtomType): Atom => FREE_ATOMS.get(type) ?? { ...FREE, type }

export const ANYTHING: Normal = {
  atoms: ATOM_TYPES.map(freeAtom),
  isExclusive: false,
  unread: [],
  notes: [],
  fallback: undefined,
}

export const NOTHING: Normal = { ...ANYTHING, atoms: [] }

const PLAIN = new Map<Json | undefined, Normal>([
  ...ATOM_TYPES.map((type): [string, Normal] => [type, { ...ANYTHING, atoms: [freeAtom(type)] }]),
  ['integer', { ...ANYTHING, atoms: [{ ...freeAtom('number'), isInteger: true }] }],
])

/** The normal form of a schema that says a type and nothing else, as most do. */
export function plainNormal(schema: JsonObject): Normal | undefined {
  for (const key of Object.keys(schema)) if (key !== 'type' && key !== 'description') return undefined
  return PLAIN.get(schema['type'])
}

/** Whether it takes every value of its type. */
export const isFree = (atom: Atom): boolean =>
  atom.values === null &&
  !atom.isInteger &&
  atom.low === null &&
  atom.high === null &&
  atom.steps.length === 0 &&
  atom.patterns.length === 0 &&
  atom.formats.length === 0 &&
  atom.extras.size === 0 &&
  isPlain(atom)

/** Takes every list or object, so that nothing inside has to be looked at. */
export const isPlain = (atom: Atom): boolean =>
  atom.fewest === 0 &&
  atom.most === Number.POSITIVE_INFINITY &&
  !atom.isUnique &&
  atom.first.length === 0 &&
  isOpen(atom.items) &&
  atom.properties.size === 0 &&
  atom.required.size === 0 &&
  isOpen(atom.others)

export const isOpen = (source: Source | 'none'): boolean => source !== 'none' && source.length === 0

export const typeOfValue = (value: Json): AtomType => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as 'boolean' | 'number' | 'string' | 'object'
}

/** Such as `string`, `integer or string`, `anything`. */
export function typeWords({ atoms }: Normal): string {
  const types = ATOM_TYPES.filter((type) => atoms.some((atom) => atom.type === type))
  if (types.length === 0) return 'nothing'
  if (types.length === ATOM_TYPES.length) return 'anything'
  const words = types.map((type) => {
    const same = atoms.filter((atom) => atom.type === type)
    return type === 'number' && same.every(({ isInteger }) => isInteger) ? 'integer' : type
  })
  return words.sort((a, b) => Number(a === 'null') - Number(b === 'null')).join(' or ')
}
