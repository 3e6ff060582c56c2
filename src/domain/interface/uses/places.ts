import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { oncePer } from '../../../protocol/collections/once-per.ts'
import { Budget, TooLarge } from '../budget.ts'
import { namedIn } from '../forms/graphql/schema.ts'
import type { Interface, Operation } from '../model.ts'
import { type Atom, isFree, isOpen } from '../schema/atom.ts'
import { type Normaliser, normaliserFor } from '../schema/normalise.ts'
import type { Source } from '../schema/source.ts'
import { placesAround } from './within.ts'

/** Something in a contract that a repo can say it uses. */
export interface Place {
  readonly at: string
  /** What is inside is not described, so that anything may be named there. */
  readonly isOpen: boolean
  /** Whether nothing that is declared is inside. */
  readonly isLeaf: boolean
  /** What is inside is described where the same was met before: at this place. */
  readonly back?: string
  /** Names of the types that it leads to, in forms in which types stand beside each other. */
  readonly types?: readonly string[]
}

export interface Places {
  readonly list: readonly Place[]
  /** There are more than were looked at. */
  readonly isCut: boolean
}

const MOST_PLACES = 2000
/** Longer than any place that a repo can name; each may be kept once for everything that is inside of it. */
const LONGEST = 1000
const MOST_STEPS = 10_000
const MOST_DEPTH = 16

/** All places that a contract declares, in its own order. */
export const placesOf = oncePer((read: Interface): Places => {
  const places = new Map<string, Place>()
  const budget = new Budget(MOST_STEPS)
  let isCut = false
  try {
    for (const operation of read.operations) addOperation(operation)
    addGraphql(read)
    addProtobuf(read)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    isCut = true
  }
  return { list: [...places.values()], isCut }

  /** Parts of a union may have the same place. */
  function add(place: Place): void {
    const { at, isOpen, isLeaf } = place
    assertShort(at)
    const before = places.get(at)
    if (before === undefined && places.size >= MOST_PLACES)
      throw new TooLarge('more places than are looked at')
    places.set(at, {
      ...place,
      ...before,
      isOpen: isOpen || before?.isOpen === true,
      isLeaf: isLeaf && before?.isLeaf !== false,
    })
  }

  function addOperation({ prefix, slots, opaque }: Operation): void {
    const normalisers = new Map<string, Normaliser>()
    for (const { at } of slots) assertShort(at)
    const outer = new Set(slots.flatMap(({ at }) => placesAround(at)))
    for (const slot of slots) {
      const normaliser = getOrAdd(normalisers, slot.sender, () => normaliserFor(budget, slot.sender))
      const at = `${prefix}${slot.at}`
      if (slot.schema !== null) addSource([slot.schema], at, { normaliser, above: new Map() })
      else add({ at, isOpen: !outer.has(slot.at), isLeaf: !outer.has(slot.at) })
    }
    for (const { at } of opaque) add({ at: `${prefix}${at}`, isOpen: true, isLeaf: true })
  }

  function addSource(source: Source, at: string, { normaliser, above }: Walk): void {
    budget.spend()
    const id = normaliser.idOf(source)
    const back = above.get(id)
    if (back !== undefined) {
      add({ at, isOpen: true, isLeaf: true, back })
      return
    }
    const { atoms, unread } = normaliser.normal(source)
    const inner = atoms.flatMap(partsOf)
    const isDeep = above.size >= MOST_DEPTH && inner.length > 0
    add({
      at,
      isOpen: isDeep || unread.length > 0 || atoms.some(isUndescribed),
      isLeaf: isDeep || inner.length === 0,
    })
    if (isDeep) return
    const walk = { normaliser, above: new Map(above).set(id, at) }
    for (const [path, part] of inner) addSource(part, `${at}${path}`, walk)
  }

  function addGraphql({ graphql }: Interface): void {
    const implementers = implementersIn(graphql?.types ?? new Map())
    for (const [name, { fields, values, kind }] of graphql?.types ?? []) {
      const members = kind === 'union' ? [...values] : (implementers.get(name) ?? [])
      add({ at: name, isOpen: false, isLeaf: fields.size === 0, types: members })
      for (const [field, { type, args }] of fields) {
        const at = `${name}.${field}`
        add({ at, isOpen: false, isLeaf: args.size === 0, types: [namedIn(type)] })
        for (const [arg, value] of args)
          add({ at: `${at}.${arg}`, isOpen: false, isLeaf: true, types: [namedIn(value.type)] })
      }
    }
  }

  function addProtobuf({ protobuf }: Interface): void {
    for (const [name, { request, response }] of protobuf?.calls ?? [])
      add({ at: name, isOpen: false, isLeaf: true, types: [request, response] })
    for (const [name, { fields }] of protobuf?.messages ?? []) {
      add({ at: name, isOpen: false, isLeaf: fields.size === 0 })
      for (const { name: field, type } of fields.values()) {
        const types = [/^map<.+, (.+)>$/.exec(type)?.[1] ?? type]
        add({ at: `${name}.${field}`, isOpen: false, isLeaf: true, types })
      }
    }
    for (const name of protobuf?.enums.keys() ?? []) add({ at: name, isOpen: false, isLeaf: true })
  }
})

function assertShort(at: string): void {
  if (at.length > LONGEST) throw new TooLarge('a place that is longer than can be named')
}

interface Walk {
  readonly normaliser: Normaliser
  /** By what is looked into, where that is. */
  readonly above: ReadonlyMap<number, string>
}

/** What is inside a value, by the path that leads there. */
function partsOf({ type, properties, others, first, items }: Atom): (readonly [string, Source])[] {
  if (type === 'array')
    return [
      ...first.map((source, index) => [`[${index}]`, source] as const),
      ...(items === 'none' || isOpen(items) ? [] : [['[]', items] as const]),
    ]
  if (type !== 'object') return []
  return [
    ...Array.from(properties, ([name, source]) => [`.${name}`, source] as const),
    ...(others === 'none' || isOpen(others) ? [] : [['.*', others] as const]),
  ]
}

/** Whether it may hold what nobody described. */
const isUndescribed = (atom: Atom): boolean =>
  (atom.type === 'object' && isFree(atom)) || (atom.type === 'array' && isFree(atom))

/** By interface, the types that have it. */
function implementersIn(
  types: ReadonlyMap<string, { readonly interfaces: ReadonlySet<string> }>,
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, { interfaces }] of types)
    for (const one of interfaces) getOrAdd(found, one, () => []).push(name)
  return found
}
