import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import { Budget, TooLarge } from '../interface/budget.ts'
import type { Sender } from '../interface/model.ts'
import { ATOM_TYPES, type Atom, isFree } from '../interface/schema/atom.ts'
import { meaningText } from '../interface/schema/meaning-text.ts'
import { normaliserFor } from '../interface/schema/normalise.ts'
import { nameOfRef, type Source } from '../interface/schema/source.ts'
import type { Catalogue } from './catalogue.ts'
import { ANY, type Field, type Literal, type Shape, type Type } from './declaration.ts'
import { pascal } from './names.ts'

/** Makes types of the schemas of one contract, as they count for what one side sends. */
export function schemaTypes(catalogue: Catalogue, budget: Budget, sender: Sender) {
  const normaliser = normaliserFor(budget, sender)
  const objects = new Map<string, string>()
  const references = new Map<number, Type>()
  /** What is being made and has no name, so that it cannot lead back to itself. */
  const open = new Set<number>()
  /** What is named but not declared yet: recursion goes through names. */
  const later: (() => void)[] = []
  return typeOf

  /**
   * The type of what fits the schemas. `hint` is what an object is called that has no name, and `as` a name that is free
   * for the outermost one.
   */
  function typeOf(source: Source, hint: string, as?: string): Type {
    const made = typeIn(source, hint, as)
    for (let next = later.shift(); next !== undefined; next = later.shift()) next()
    return made
  }

  function typeIn(source: Source, hint: string, as?: string): Type {
    const id = normaliser.idOf(source)
    const known = references.get(id)
    if (known !== undefined) return known
    const atoms = meantAtoms(normaliser.normal(source).atoms)
    if (atoms.length === ATOM_TYPES.length && atoms.every(isFree)) return ANY
    const isNullable = atoms.some(({ type }) => type === 'null')
    const others = atoms.filter(({ type }) => type !== 'null')
    const reference = referenceIn(source)
    const [only] = others
    const isRecord = others.length === 1 && only !== undefined && hasFields(only)
    if (isRecord) {
      const names = [reference, ...only.names]
      return { shape: objectShape(only, names, { hint, as: isNullable ? undefined : as }), isNullable }
    }
    if (reference !== undefined) return aliasOf(id, reference, { others, isNullable })
    if (open.has(id)) return ANY
    open.add(id)
    const shape = unionShape(others, hint)
    open.delete(id)
    return { shape, isNullable }
  }

  function aliasOf(
    id: number,
    reference: string,
    { others, isNullable }: { others: readonly Atom[]; isNullable: boolean },
  ): Type {
    const name = catalogue.name(reference)
    const type: Type = { shape: { kind: 'named', name }, isNullable }
    references.set(id, type)
    later.push(() => {
      const is = { shape: unionShape(others, name), isNullable: false }
      catalogue.declare({ name, is })
    })
    return type
  }

  function unionShape(atoms: readonly Atom[], hint: string): Shape {
    const own = (index: number) => (atoms.length === 1 ? hint : `${hint} Option ${index + 1}`)
    return unionOf(atoms.map((atom, index) => shapeOf(atom, own(index))))
  }

  function shapeOf(atom: Atom, hint: string): Shape {
    switch (atom.type) {
      case 'number':
      case 'string':
      case 'boolean': {
        const values = atom.values === null ? [] : [...atom.values.values()].filter(isLiteral)
        if (values.length > 0) return { kind: 'literals', values }
        return { kind: atom.type === 'number' && atom.isInteger ? 'integer' : atom.type }
      }
      case 'array':
        return { kind: 'list', of: itemsOf(atom, hint) }
      case 'object':
        if (hasFields(atom)) return objectShape(atom, atom.names, { hint })
        return { kind: 'map', of: othersIn(atom, `${hint} Value`) }
      case 'null':
        return { kind: 'never' }
      default:
        return atom.type satisfies never
    }
  }

  /** Where the first elements have types of their own, an element is one of all. */
  function itemsOf({ first, items }: Atom, hint: string): Type {
    const types = first.map((source, index) => typeIn(source, `${hint} Element ${index + 1}`))
    if (items !== 'none') types.push(typeIn(items, `${hint} Item`))
    return oneOf(types)
  }

  function othersIn({ others }: Atom, hint: string): Type {
    return others === 'none' ? { shape: { kind: 'never' }, isNullable: false } : typeIn(others, hint)
  }

  function objectShape(
    atom: Atom,
    names: readonly (string | undefined)[],
    { hint, as }: { hint: string; as?: string | undefined },
  ): Shape {
    const own = names.filter((name) => name !== undefined && pascal(name) !== '')
    // What has no name is known by what it is alone, so that a way back to it ends.
    const wanted = own.length === 0 ? [''] : own
    const keys = wanted.map((one) => `${one} ${keyOf(atom)}`)
    const known = keys.map((key) => objects.get(key)).find((found) => found !== undefined)
    if (known !== undefined) return { kind: 'named', name: known }
    const [first = ''] = wanted
    const { name, isNew } =
      first === ''
        ? { name: as ?? catalogue.name(hint), isNew: true }
        : catalogue.nameShared(first, meaningKey(atom, sender))
    for (const key of keys) objects.set(key, name)
    if (isNew) later.push(() => declare(name, atom))
    return { kind: 'named', name }
  }

  function declare(name: string, atom: Atom): void {
    const fields: Field[] = [...atom.properties].map(([field, source]) => ({
      name: field,
      type: typeIn(source, `${name} ${field}`),
      isRequired: atom.required.has(field),
    }))
    for (const field of atom.required)
      if (!atom.properties.has(field))
        fields.push({ name: field, type: othersIn(atom, `${name} ${field}`), isRequired: true })
    const hasOthers = atom.others !== 'none' && atom.others.length > 0
    catalogue.declare({ name, is: { fields, hasOthers } })
  }

  /** Equal for one object of the contract, wherever it is referred to. */
  function keyOf({ properties, required, others }: Atom): string {
    const fields = [...properties].map(([name, source]) => [name, normaliser.idOf(source)])
    return JSON.stringify([fields, [...required], others === 'none' ? null : normaliser.idOf(others)])
  }
}

/** Where no type is written but other keywords speak of one, that one is meant. */
function meantAtoms(atoms: readonly Atom[]): readonly Atom[] {
  const meant = atoms.filter(({ isUnsaid }) => !isUnsaid)
  return meant.length === 0 ? atoms : meant
}

const hasFields = ({ type, properties, required }: Atom): boolean =>
  type === 'object' && properties.size + required.size > 0

function referenceIn([only, ...more]: Source): string | undefined {
  const ref =
    only !== undefined && more.length === 0 && isJsonObject(only.schema) ? only.schema['$ref'] : null
  if (typeof ref !== 'string' || ref === '#') return undefined
  const name = nameOfRef(ref)
  return pascal(name) === '' ? undefined : name
}

const isLiteral = (value: Json): value is Literal => typeof value !== 'object'

function oneOf(types: readonly Type[]): Type {
  if (types.some(({ shape }) => shape.kind === 'any')) return ANY
  const isNullable = types.some((type) => type.isNullable)
  return { shape: unionOf(types.map(({ shape }) => shape)), isNullable }
}

function unionOf(shapes: readonly Shape[]): Shape {
  const [only, ...more] = new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()
  if (only === undefined) return { kind: 'never' }
  return more.length === 0 ? only : { kind: 'union', parts: [only, ...more] }
}

/** Steps that it may take to write out what one object means; one that takes more is shared with no other contract. */
const MOST_STEPS_OF_KEY = 2000

/** Text that is equal for objects of two contracts that mean the same, as far as this side sends them. */
function meaningKey({ properties, required, others }: Atom, sender: Sender): string | undefined {
  const budget = new Budget(MOST_STEPS_OF_KEY)
  const text = (source: Source | 'none') =>
    source === 'none'
      ? source
      : source.map(({ schema, document }) => meaningText(document, budget)(schema)).join('&')
  try {
    const fields = [...properties].map(([name, source]) => [name, text(source), required.has(name)])
    return JSON.stringify([sender, fields, [...required], text(others)])
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}
