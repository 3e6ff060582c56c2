import type { AnyMethod } from '../../methods/row.ts'
import { namedFieldsOf } from '../../protocol/named.ts'
import { commandOf, kebab } from './kebab.ts'
import type { MethodWord } from './method-form.ts'

/** The param that a command is about, which can be given as a word without its option. */
interface BareWord {
  readonly key: string
  readonly kind: keyof typeof WORDS
}

/** The name of the word, and by what it names the thing. */
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

/** The same as a word of the method's command; none where nothing can be named so. */
export function bareWordFor(row: Pick<AnyMethod, 'name' | 'params'>): readonly MethodWord[] {
  const bare = bareWordOf(row)
  if (bare === undefined) return []
  const { name, by } = WORDS[bare.kind]
  const option = `--${kebab(bare.key)}`
  const needed = {
    missing: `${name.toUpperCase()} is missing: the ${name}, by ${by} (or ${option})`,
    next: `See cacpd ${commandOf(row.name).join(' ')} --help`,
  }
  return [
    {
      form: `[${name}]`,
      about: `${by} (instead of ${option})`,
      param: bare.key,
      twice: `Name one ${name}, not two`,
      ...(isRequired(row.params, bare.key) ? needed : {}),
    },
  ]
}
