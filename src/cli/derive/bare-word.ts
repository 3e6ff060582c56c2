import { Argument, type Command } from 'commander'
import type { AnyMethod } from '../../methods/row.ts'
import { namedFieldsOf } from '../../protocol/named.ts'
import { UsageError } from '../program/report.ts'
import { commandOf, kebab } from './kebab.ts'

/** What a command is about, which can stand behind it without its option. */
export interface BareWord {
  readonly key: string
  readonly kind: keyof typeof WORDS
}

/** How it is called in a command line, and what it goes by. */
const WORDS = {
  contract: { name: 'contract', by: 'its ID or name' },
  packet: { name: 'question', by: 'its ID or what it asks' },
  project: { name: 'project', by: 'its ID or name' },
} as const

/** The one contract or packet that a method needs; of a method on projects, else the project. */
export function bareWordOf({ name, params }: Pick<AnyMethod, 'name' | 'params'>): BareWord | undefined {
  const { project, words } = namedFieldsOf(params)
  const isOneWord = (key: string) => params.shape[key]?.safeParse('x').success === true
  for (const { key, kind } of words)
    if ((kind === 'contract' || kind === 'packet') && isRequired(params, key) && isOneWord(key))
      return { key, kind }
  const [group] = commandOf(name)
  return group === 'project' && project !== undefined ? { key: project.key, kind: 'project' } : undefined
}

const isRequired = ({ shape }: AnyMethod['params'], key: string): boolean =>
  shape[key]?.safeParse(undefined).success === false

export function addBareWord(command: Command, { key, kind }: BareWord): void {
  const option = command.options.find(({ long }) => long === `--${kebab(key)}`)
  option?.makeOptionMandatory(false).helpGroup('Optional:')
  const { name, by } = WORDS[kind]
  command.addArgument(new Argument(`[${name}]`, `${by} (instead of --${kebab(key)})`))
}

/** The given values with the bare word among them. */
export function withBareWord<Values extends Record<string, unknown>>(
  values: Values,
  word: unknown,
  { key, kind, row }: BareWord & { readonly row: Pick<AnyMethod, 'name' | 'params'> },
): Values {
  const { name, by } = WORDS[kind]
  if (word !== undefined && values[key] !== undefined) throw new UsageError(`Name one ${name}, not two`)
  if (word !== undefined) return { ...values, [key]: word }
  if (values[key] === undefined && isRequired(row.params, key))
    throw new UsageError(
      `${name.toUpperCase()} is missing: the ${name}, by ${by} (or --${kebab(key)})`,
      `See cacpd ${commandOf(row.name).join(' ')} --help`,
    )
  return values
}
