import { z } from 'zod'
import { idOpenedBy } from '../../../../src/domain/statements/certified-id.ts'
import { KINDS } from '../../../../src/domain/statements/kinds.ts'
import { repoIdOf } from '../../../../src/domain/statements/shared-fields.ts'
import type { Statement } from '../../../../src/domain/statements/statement.ts'
import { isJsonObject, type JsonObject } from '../../../../src/protocol/json/json.ts'
import type { Draft } from '../../../domain/statements/author.ts'
import { SigningAuthor } from '../../../support/desk/signing-author.ts'
import { cut } from './texts.ts'

type Said = Omit<Draft, 'key'>

/** One who puts the same text into every field of what it says that takes it. */
export class HostileAuthor extends SigningAuthor {
  readonly text: string

  constructor(text: string) {
    super('eve')
    this.text = text
  }

  override say(said: Said): Statement {
    const row = KINDS.get(said.kind)
    if (row === undefined) throw new TypeError(`there is no kind ${said.kind}`)
    const body = filled(said.body, this.text, fitting(row.body, 32_000))
    const content = said.content && {
      ...said.content,
      value: filled(said.content.value, this.text, fitting(row.content ?? z.never(), 200_000)),
    }
    const draft = { ...said, body, ...(content && { content }), key: this.key }
    return super.say({ ...draft, ...namesIn(draft) })
  }
}

const fitting =
  (schema: z.ZodType, most: number) =>
  (value: unknown): boolean =>
    JSON.stringify(value).length <= most && schema.safeParse(value).success

/** What a statement is about follows, for some, from what it says. */
function namesIn(draft: Draft): Partial<Said> {
  const { about: _, project_id, ...opening } = draft
  const { kind, body } = draft
  if (kind === 'repo') return { about: repoIdOf(project_id, String(body['name'])) }
  if (kind === 'claim') return { about: repoIdOf(project_id, String(body['repo_name'])) }
  if (kind === 'project') return { about: idOpenedBy(opening), project_id: idOpenedBy(opening) }
  const opens = kind === 'packet' || (kind === 'revision' && body['parent'] === null)
  return opens ? { about: idOpenedBy({ ...opening, project_id }) } : {}
}

/** As much of a text as a field may take, and as an address where it takes nothing else. */
function* cuts(text: string): Generator<string> {
  for (const most of [20_000, 1024, 300, 200]) yield cut(text, most)
  yield `https://example.invalid/${cut(text.replaceAll(/[\s#]/g, ''), 1000)}`
}

/** The object with the text in every place where `takes` lets it stand: values, and the keys of what is free. */
export function filled(whole: JsonObject, text: string, takes: (value: unknown) => boolean): JsonObject {
  let made = structuredClone(whole)
  for (const path of leavesOf(whole)) {
    const replaced = [...cuts(text)].map((cut) => withLeaf(made, path, cut)).find(takes)
    if (replaced !== undefined) made = replaced
  }
  const withKey = Object.defineProperty(structuredClone(made), cut(text, 300), {
    value: text,
    enumerable: true,
  }) as JsonObject
  return takes(withKey) ? withKey : made
}

type Path = readonly (string | number)[]

/** Where the texts are, and where there is nothing. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string' || value === null) return [path]
  if (Array.isArray(value)) return value.flatMap((item, at) => leavesOf(item, [...path, at]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]))
}

function withLeaf<T>(whole: T, [first, ...rest]: Path, leaf: string): T {
  if (first === undefined) return leaf as T
  const copy = Array.isArray(whole) ? [...whole] : { ...whole }
  const record = copy as Record<string | number, unknown>
  record[first] = withLeaf(record[first], rest, leaf)
  return copy as T
}
