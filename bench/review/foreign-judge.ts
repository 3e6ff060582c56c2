import { createRequire } from 'node:module'
import type { Verdict } from '../../src/domain/interface/model.ts'
import type { Json } from '../../src/protocol/json/json.ts'
import { endWithParent, tell } from '../child.ts'
import type { Given, ToolName } from './tools.ts'

/** A judge of others as a process of its own, so that what runs out of memory or never ends is only one answer less. */
export type Said = { verdict: Verdict } | { error: string }

type Judge = (given: Given) => Promise<Verdict>

// They are CommonJS, and may not be installed when this is compiled.
const require = createRequire(import.meta.url)

interface SmartDiff {
  apiCompare(before: Json, after: Json): { diffs: { type: string }[] }
}

interface SchemaDiff {
  diffSchemas(schemas: {
    sourceSchema: Json
    destinationSchema: Json
  }): Promise<{ additionsFound: boolean; removalsFound: boolean }>
}

interface SpecDiff {
  diffSpecs(specs: { sourceSpec: Spec; destinationSpec: Spec }): Promise<{
    breakingDifferencesFound: boolean
    unclassifiedDifferences: unknown[]
  }>
}

interface Spec {
  content: string
  location: string
  format: 'openapi3'
}

const JUDGES: Record<ToolName, () => Judge> = {
  'api-smart-diff': () => {
    const { apiCompare } = require('api-smart-diff') as SmartDiff
    return async ({ before, after }) => {
      const types = apiCompare(before, after).diffs.map(({ type }) => type)
      return types.includes('breaking')
        ? 'breaking'
        : types.includes('unclassified')
          ? 'unknown'
          : 'compatible'
    }
  },
  'json-schema-diff': () => {
    const { diffSchemas } = require('json-schema-diff') as SchemaDiff
    return async ({ before, after, breaksBy }) => {
      const found = await diffSchemas({ sourceSchema: before, destinationSchema: after })
      const isWidened = found.additionsFound && breaksBy !== 'narrowing'
      const isNarrowed = found.removalsFound && breaksBy !== 'widening'
      return isWidened || isNarrowed ? 'breaking' : 'compatible'
    }
  },
  'openapi-diff': () => {
    const { diffSpecs } = require('openapi-diff') as SpecDiff
    const spec = (value: Json, location: string): Spec => ({
      content: JSON.stringify(value),
      location,
      format: 'openapi3',
    })
    return async ({ before, after }) => {
      const found = await diffSpecs({
        sourceSpec: spec(before, 'before.json'),
        destinationSpec: spec(after, 'after.json'),
      })
      if (found.breakingDifferencesFound) return 'breaking'
      return found.unclassifiedDifferences.length > 0 ? 'unknown' : 'compatible'
    }
  },
}

endWithParent()
const judge = JUDGES[process.argv[2] as ToolName]()
process.on('message', (given: Given) => {
  judge(given).then(
    (verdict) => tell({ verdict } satisfies Said),
    (error: unknown) => tell({ error: String(error) } satisfies Said),
  )
})
tell('ready')
