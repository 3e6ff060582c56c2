import type { AnyMethod } from '../../methods/row.ts'
import { commandOf } from '../derive/kebab.ts'
import { type ParamOption, paramOptions, wordsFor } from '../derive/param-options.ts'
import { quoted } from './shell-word.ts'

export function commandLine(
  row: Pick<AnyMethod, 'name' | 'params'>,
  given: Readonly<Record<string, unknown>>,
  { options = paramOptions(row), self = 'cacpd' }: { options?: readonly ParamOption[]; self?: string } = {},
): string {
  const paths = options.flatMap(({ key, kind }) =>
    kind === 'file' ? (given[key] as { name: string }).name : [],
  )
  const others = options.filter(({ kind }) => kind !== 'file')
  const words = [...commandOf(row.name), ...paths, ...wordsFor(others, given)]
  return `${self} ${words.map(quoted).join(' ')}`
}
