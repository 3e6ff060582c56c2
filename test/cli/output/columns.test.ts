import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { COLUMNS } from '../../../src/cli/output/columns.ts'
import { METHODS } from '../../../src/methods/table.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** What `z.toJSONSchema` put under `$defs`, or the schema itself. */
function resolved(schema: unknown, root: Schema): Schema {
  const { $ref } = schema as Schema
  const name = $ref?.split('/').at(-1)
  return (name === undefined ? schema : root.$defs?.[name]) as Schema
}

/** The keys of what a schema describes; of several forms those of each. */
function formsOf({ anyOf, properties = {} }: Schema, root: Schema): string[][] {
  return anyOf?.flatMap((form) => formsOf(resolved(form, root), root)) ?? [Object.keys(properties)]
}

/** Columns that are no keys themselves, by a key that they are made of. */
const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  repo: ['repo', 'repo_id', 'repoId'],
  marks: ['archived', 'withdrawn'],
  agree: ['objections'],
  objects: ['objections'],
  silent: ['unanswered'],
  suggested: ['response_id'],
  name: ['name', 'value'],
  status: ['status', 'value'],
}

describe('the chosen columns', () => {
  const chosen = Object.entries(COLUMNS).filter(([name]) => name !== 'rpc.discover')
  test.each(chosen)('of %s are keys of its result, or made of them', (name, lists) => {
    const row = METHODS.find((one) => one.name === name)
    if (row === undefined) throw new TypeError(`no method ${name}`)
    const root = z.toJSONSchema(row.result, { unrepresentable: 'any' })
    for (const [key, columns] of Object.entries(lists)) {
      const list = resolved(resolved(root, root).properties?.[key], root)
      for (const known of formsOf(resolved(list.items, root), root))
        for (const column of columns)
          expect((MADE_OF[column] ?? [column]).some((one) => known.includes(one)) ? '' : column).toBe('')
    }
  })
})
