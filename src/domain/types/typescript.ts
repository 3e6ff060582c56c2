import {
  type Declaration,
  isObject,
  type Section,
  type Shape,
  sectionTexts,
  type Type,
} from './declaration.ts'

/** Names that are taken before any contract is read. */
export const RESERVED: readonly string[] = []

export const COMMENT = '//'

/** Sections as TypeScript, for `tsc --strict`. */
export const write = (sections: readonly Section[]): string =>
  sectionTexts(sections, COMMENT, declared)
    .concat(sections.every(({ declarations }) => declarations.length === 0) ? ['\nexport {}\n'] : [])
    .join('')

export function declared({ name, is }: Declaration): string {
  if (!isObject(is)) return `export type ${name} = ${typeText(is)}\n`
  const fields = is.fields.map(
    (field) => `  ${keyText(field.name)}${field.isRequired ? '' : '?'}: ${typeText(field.type)}\n`,
  )
  const others = is.hasOthers ? ['  [name: string]: unknown\n'] : []
  return `export interface ${name} {\n${[...fields, ...others].join('')}}\n`
}

const typeText = ({ shape, isNullable }: Type): string =>
  isNullable && shape.kind === 'never'
    ? 'null'
    : `${shapeText(shape)}${isNullable && shape.kind !== 'any' ? ' | null' : ''}`

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case 'literals':
      return shape.values.map(literalText).join(' | ')
    case 'list':
      return `(${typeText(shape.of)})[]`.replace(/^\((\w+)\)\[\]$/, '$1[]')
    case 'map':
      return `{ [name: string]: ${typeText(shape.of)} }`
    case 'union':
      return shape.parts.map(shapeText).join(' | ')
    case 'named':
      return shape.name
    default:
      return SIMPLE[shape.kind] ?? shape.kind
  }
}

const SIMPLE: Readonly<Partial<Record<Shape['kind'], string>>> = { any: 'unknown', integer: 'number' }

const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literalText(name))

/** In ASCII, so that nothing in it is hidden from a reader. */
const literalText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
