import { z } from 'zod'
import type { Caller } from '../../domain/env.ts'
import { mainParts, type Part, partAt } from '../../domain/interface/payload/parts.ts'
import { readInterface } from '../../domain/interface/review.ts'
import { maySee } from '../../domain/lookup.ts'
import type { View } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { Id } from '../../protocol/words.ts'
import type { Store } from '../ports/ports.ts'
import { RunError, type Runner, type SchemaCheck } from '../ports/run-ports.ts'
import { badParameter, readParameters } from './parameters.ts'

const Parameters = z.object({
  contractId: Id.describe('contract_id is taken too'),
  /** A place such as `response.200.body`, or a path into the content; not needed where there is only one. */
  part: z.string().max(200).optional(),
  payload: z.custom<Json>((value) => value !== undefined, 'is required'),
})

/** Places that are named in one answer. */
const MOST_NAMED = 10

/** Says whether a sample payload is what a contract promises, by what is understood of the contract. */
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
      const { at, schema, unread } = partMeant(contract.type, content, part)
      const { valid, errors } = await check(schema, payload, signal)
      const verdict = `The payload ${valid ? 'fits' : 'does not fit'} ${at} in version ${version} of contract ${contract.name}.`
      const unchecked = unread
        .slice(0, MOST_NAMED)
        .map((place) => `- ${place} was not checked: its type is not understood`)
      const lines = [verdict, ...errors.map((error) => `- ${error}`), ...unchecked]
      await emit({ type: 'text', delta: lines.join('\n') })
      await emit({
        type: 'citation',
        uri: `cacp:contract/${contractId}`,
        title: contract.name,
        text: JSON.stringify(schema).slice(0, 300).toWellFormed(),
      })
      return {
        output: {
          valid,
          errors,
          ...(unread.length === 0 ? {} : { unchecked: unread.slice(0, MOST_NAMED) }),
          contract_id: contractId,
          version,
          part: at,
        },
      }
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

function partMeant(type: string, content: JsonObject, wanted: string | undefined): Part {
  const read = readInterface(type, content)
  const main = mainParts(read)
  const [only, ...more] = main
  const named = wanted ?? (more.length === 0 ? only : undefined)
  const found = named === undefined ? undefined : partAt(read, named)
  if (found !== undefined) return found
  const known = main.slice(0, MOST_NAMED).map((at) => `"${at}"`)
  const choice =
    known.length === 0
      ? 'nothing in the contract says what is sent; name the path of a schema in its content'
      : `one of ${known.join(', ')}`
  throw badParameter(
    'part',
    wanted === undefined ? `is required: ${choice}` : `names no such place: ${choice}`,
  )
}
