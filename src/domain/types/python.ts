import {
  type Declaration,
  isObject,
  type Literal,
  type Section,
  type Shape,
  sectionTexts,
  type Type,
} from './declaration.ts'
import { asciiText } from './names.ts'

export const RESERVED: readonly string[] = ['None', 'True', 'False']

export const COMMENT = '#'

/**
 * Sections as Python 3.11 or newer. Objects are written as calls: in a class, a field called `str` would change what
 * `str` means for those below it.
 */
export const write = (sections: readonly Section[]): string =>
  ['\nimport typing\n', ...sectionTexts(sections, COMMENT, declared)].join('')

function declared({ name, is }: Declaration): string {
  if (!isObject(is)) return `${name}: typing.TypeAlias = ${literalText(typeText(is))}\n`
  // There is no word for fields of which only the type is known.
  if (is.hasOthers) return `${name}: typing.TypeAlias = "dict[str, typing.Any]"\n`
  const fields = is.fields.map(({ name: field, type, isRequired }) => {
    const text = literalText(typeText(type))
    return `    ${literalText(field)}: ${isRequired ? text : `typing.NotRequired[${text}]`},\n`
  })
  return `${name} = typing.TypedDict("${name}", {\n${fields.join('')}})\n`
}

function typeText({ shape, isNullable }: Type): string {
  if (isNullable && shape.kind === 'never') return 'None'
  const text = shapeText(shape)
  return isNullable && shape.kind !== 'any' ? `typing.Optional[${text}]` : text
}

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case 'literals':
      return literals(shape.values)
    case 'list':
      return `list[${typeText(shape.of)}]`
    case 'map':
      return `dict[str, ${typeText(shape.of)}]`
    case 'union':
      return `typing.Union[${shape.parts.map(shapeText).join(', ')}]`
    case 'named':
      return shape.name
    default:
      return SIMPLE[shape.kind]
  }
}

const SIMPLE = {
  any: 'typing.Any',
  never: 'typing.NoReturn',
  boolean: 'bool',
  integer: 'int',
  number: 'float',
  string: 'str',
} as const

/** There are no literals of numbers that are not whole. */
function literals(values: readonly Literal[]): string {
  if (values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value))) return 'float'
  return `typing.Literal[${values.map(literalText).join(', ')}]`
}

function literalText(value: Literal): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return asciiText(value)
}
