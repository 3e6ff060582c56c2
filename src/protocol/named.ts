import * as z from 'zod'
import { AgentId } from './agent/id.ts'
import { oncePer } from './collections/once-per.ts'
import { Name } from './words.ts'

/** Fields of params that name something. Dispatch replaces the names by ids before a method sees them. */

export type NamedKind = 'project' | 'contract' | 'packet' | 'repo' | 'peer'

const KINDS = z.registry<{
  readonly kind: NamedKind
  readonly isNeeded?: true
  readonly unless?: string | undefined
}>()

function naming<Schema extends z.ZodType>(kind: NamedKind, word: Schema, about: string): Schema {
  const schema = word.describe(about)
  KINDS.add(schema, { kind })
  return schema
}

/** Methods get the project's id. For methods that need a project, see `ProjectWord`. */
export const AnyProjectWord = naming('project', Name, 'ID or name')

/**
 * Like AnyProjectWord, but it can be left out: then methods get the current project, or the only one. That default
 * depends on the state, so it is filled in before a method sees it.
 */
export const ProjectWord = currentByDefault() as unknown as z.ZodDefault<typeof AnyProjectWord>

/** Like ProjectWord; with `allProjects: true` in the same object it stays missing. */
export const ProjectUnlessAll = currentByDefault('allProjects')

function currentByDefault(unless?: string) {
  const about = 'ID or name; default: the current project, or the only one'
  const schema = AnyProjectWord.optional().describe(about)
  KINDS.add(schema, { kind: 'project', isNeeded: true, unless })
  return schema
}

/** A contract of the project named in the same object; methods get its id. */
export const ContractWord = naming('contract', Name, 'ID or name')
/** A question is named by its text on one line; a long one by its beginning, as the inbox shows it. */
export const PacketWord = naming('packet', Name, 'ID, or what the question asks')
/** Methods get the name of the repo; an unknown word stays as it was written. */
export const RepoWord = naming('repo', Name, 'name or ID')
/** Methods get the agent ID; an unknown word stays as it was written. */
export const PeerWord = naming('peer', AgentId, 'agent ID, repository or URL')

/** The fields of an object that name something, and its fields with inner objects that do. */
export interface NamedFields {
  /**
   * The project in which everything else is looked up; undefined: that of the enclosing object. `unless` is a field
   * that makes it unnecessary where it is true.
   */
  readonly project: { key: string; isNeeded: boolean; unless?: string | undefined } | undefined
  readonly words: readonly { readonly key: string; readonly kind: Exclude<NamedKind, 'project'> }[]
  readonly inner: readonly { readonly key: string; readonly fields: NamedFields }[]
}

export const namedFieldsOf: (schema: z.ZodObject) => NamedFields = oncePer(findFields)

function findFields(schema: z.ZodObject): NamedFields {
  let project: NamedFields['project']
  const words: NamedFields['words'][number][] = []
  const inner: NamedFields['inner'][number][] = []
  for (const [key, field] of Object.entries(schema.shape)) {
    const core = unwrapped(field as z.ZodType)
    const named = KINDS.get(core)
    if (named?.kind === 'project') project = { key, isNeeded: named.isNeeded === true, unless: named.unless }
    else if (named !== undefined) words.push({ key, kind: named.kind })
    else if (core instanceof z.ZodObject) {
      const fields = namedFieldsOf(core)
      if (namesSomething(fields)) inner.push({ key, fields })
    }
  }
  return { project, words, inner }
}

export const namesSomething = ({ project, words, inner }: NamedFields): boolean =>
  project !== undefined || words.length > 0 || inner.length > 0

/** The schema inside lists, defaults and the like. */
function unwrapped(schema: z.ZodType): z.ZodType {
  let core = schema
  while (KINDS.get(core) === undefined) {
    if (core instanceof z.ZodArray) core = core.element as z.ZodType
    else if (
      core instanceof z.ZodOptional ||
      core instanceof z.ZodNullable ||
      core instanceof z.ZodDefault ||
      core instanceof z.ZodReadonly
    )
      core = core.unwrap() as z.ZodType
    else return core
  }
  return core
}
