import { z } from 'zod'
import type { Caller } from '../../domain/env.ts'
import { maySee } from '../../domain/lookup.ts'
import type { View } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { Id } from '../../protocol/words.ts'
import type { Store } from '../ports/ports.ts'
import { RunError, type Runner, type SchemaCheck } from '../ports/run-ports.ts'
import { badParameter, readParameters } from './parameters.ts'

const Parameters = z.object({
  contractId: Id.describe('contract_id is taken too'),
  /** Where in the contract's content the schema is, such as `response.schema`; left out, it is looked for. */
  part: z.string().max(200).optional(),
  payload: z.custom<Json>((value) => value !== undefined, 'is required'),
})

const SCHEMA_WORDS = [
  '$schema',
  '$ref',
  'type',
  'properties',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  'items',
]
const USUAL_PARTS = ['schema', 'payload', 'request', 'response', 'body']

/** Says whether a sample payload is what a contract promises, by the JSON Schema in the contract's content. */
export function createCheckContract({ store, check }: { store: Store; check: SchemaCheck }): Runner {
  return {
    name: 'check_contract',
    limit: 4,
    async run(request, { asker, emit, signal }) {
      const { contract_id: other, ...given } = request.parameters
      const parameters = { contractId: other, ...given }
      const { contractId, part, payload } = readParameters(Parameters, { ...request, parameters })
      const contract = await store.commit((view) => ({ result: visibleContract(view, contractId, asker) }))
      if (contract === undefined)
        throw new RunError({
          kind: 'not_found',
          message: `No contract ${contractId} here`,
          data: { contractId },
        })
      const { version, content } = contract.head
      if (content === null) throw badParameter('contractId', `names a contract whose content was taken away`)
      const schema = schemaIn(content, part)
      const { valid, errors } = await check(schema, payload, signal)
      const verdict = `The payload ${valid ? 'fits' : 'does not fit'} version ${version} of contract ${contract.name}.`
      await emit({ type: 'text', delta: [verdict, ...errors.map((error) => `- ${error}`)].join('\n') })
      await emit({
        type: 'citation',
        uri: `cacp:contract/${contractId}`,
        title: contract.name,
        text: JSON.stringify(schema).slice(0, 300).toWellFormed(),
      })
      return { output: { valid, errors, contract_id: contractId, version } }
    },
  }
}

function visibleContract(view: View, contractId: string, asker: Caller): ContractEntity | undefined {
  for (const found of view.projects.oldestFirst()) {
    const contract = found.contracts.get(contractId)
    if (contract !== undefined && maySee(found, asker)) return contract
  }
  return undefined
}

function schemaIn(content: JsonObject, part: string | undefined): JsonObject {
  if (part !== undefined) {
    const found = part.split('.').reduce<Json | undefined>(inside, content)
    if (isJsonObject(found)) return found
    throw badParameter('part', `names nothing in the contract's content that could be a JSON Schema`)
  }
  const usual = USUAL_PARTS.map((name) => inside(content, name)).find(looksLikeSchema)
  const found = looksLikeSchema(content) ? content : usual
  if (isJsonObject(found)) return found
  throw badParameter(
    'part',
    `is required: no JSON Schema was found at the usual places of the contract's content`,
  )
}

const inside = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

const looksLikeSchema = (value: Json | undefined): boolean =>
  isJsonObject(value) && SCHEMA_WORDS.some((word) => Object.hasOwn(value, word))
